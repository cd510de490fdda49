import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { prisma } from '@/lib/db/prisma'

/** Whether a client-ID metadata document may be fetched (the guard against internal addresses is in outgoing-fetch). */
export async function allowFetch(_ctx: KoaContextWithOIDC, clientId: string): Promise<boolean> {
  return clientId.length <= 500
}

/** Whether a metadata-document client may go on: the operator may have disabled it. */
export async function allowClient(_ctx: KoaContextWithOIDC, client: Client): Promise<boolean> {
  const row = await prisma().oAuthClient.findUnique({
    where: { id: client.clientId },
    select: { disabledAt: true },
  })
  return !row?.disabledAt
}
