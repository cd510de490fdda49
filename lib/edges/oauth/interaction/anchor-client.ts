import type { Client } from 'oidc-provider'
import { prisma } from '@/lib/base/db/prisma'
import { clientSource } from '@/lib/policy/client-source'

/**
 * Makes sure that a metadata-document client has a row, which its authorizations hang on. Its metadata is always read
 * from the document; the row keeps what Account > Apps shows.
 */
export async function anchorMetadataClient(client: Client): Promise<void> {
  if (clientSource(client.clientId) !== 'METADATA_DOCUMENT') return
  const shown = {
    name: client.clientName ?? new URL(client.clientId).host,
    redirectUris: [...(client.redirectUris ?? [])],
    homepageUrl: client.clientUri ?? null,
    logoUrl: client.logoUri ?? null,
  }
  await prisma().oAuthClient.upsert({
    where: { id: client.clientId },
    create: { id: client.clientId, source: 'METADATA_DOCUMENT', type: 'NATIVE', ...shown },
    update: { ...shown, version: { increment: 1 } },
  })
}
