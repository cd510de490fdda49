import { type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { isHostAmong } from '@/lib/base/http/origin'
import { guardedWebFetch } from '@/lib/base/outbound/guarded-fetch'
import { clientSource } from '@/lib/policy/scopes'

/**
 * Clients whose id is the https address of a document about them (draft-ietf-oauth-client-id-metadata-document-02).
 * The engine fetches, checks and caches the documents; here is what of it is policy.
 */

/** How long a document is kept, whatever its own headers say, in seconds. */
export const cacheDuration = { min: 60, max: 24 * 3600 }

/** The most any answer fetched on behalf of a client may weigh, in bytes. */
export const fetchResponseBodyLimits = {
  'client_id metadata document': 16 * 1024,
  jwks_uri: 64 * 1024,
  sector_identifier_uri: 16 * 1024,
}

/**
 * Every call of the engine to the outside goes through the guard against internal addresses (lib/base/outbound). A key set
 * comes back without what its host says of its lifetime: the engine would keep it, and an error as well, for as long as
 * an old answer said, and a key withdrawn meanwhile with it. Without that it is kept for the engine's minute.
 */
export const outgoingFetch: typeof fetch = async (input, init) => {
  const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown }
  const url = String(input instanceof Request ? input.url : input)
  const ctx = Provider.ctx
  const keySet = ctx?.oidc.client?.jwksUri
  if (!ctx || !keySet || URL.parse(keySet)?.href !== url) return guardedWebFetch(url, rest)
  // Documents are counted before they are asked for; keys are fetched for whoever claims to hold one of them.
  await countAttempt(fetches, ctx.ip)
  const answer = await guardedWebFetch(url, rest)
  const headers = new Headers(answer.headers)
  for (const name of ['cache-control', 'expires']) headers.delete(name)
  return new Response(answer.body, { status: answer.status, headers })
}

const fetches = {
  name: 'client-document',
  points: 60,
  seconds: 60,
  message: 'too many documents were fetched',
}

/** Whether the instance admin takes documents of a client id's host (metadataDocuments). */
function isHostTaken(clientId: string): boolean {
  const { metadataDocuments: taken, metadataDocumentHosts: hosts } = config()
  if (taken !== 'hosts') return taken === 'on'
  const host = URL.parse(clientId)?.hostname ?? ''
  return isHostAmong(hosts, host)
}

/**
 * Whether a document may be fetched now: each address can make this server fetch only so often. The engine would take an
 * id that begins with HTTPS:// as well; here only the exact prefix counts (`clientSource` in scopes.ts).
 */
export async function allowFetch(ctx: KoaContextWithOIDC | undefined, clientId: string): Promise<boolean> {
  if (clientSource(clientId) !== 'METADATA_DOCUMENT' || clientId.length > 500) return false
  if (!isHostTaken(clientId)) return false
  // A job, which has no address, asks for what it was told to tell.
  if (!ctx) return true
  try {
    await countAttempt(fetches, ctx.ip)
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/** Returns whether a client with a cached document can continue: an instance admin may have blocked its host or disabled it. */
export async function allowClient(_ctx: KoaContextWithOIDC, client: Client): Promise<boolean> {
  if (!isHostTaken(client.clientId)) return false
  const row = await prisma().oAuthClient.findUnique({
    where: { id: client.clientId },
    select: { disabledAt: true },
  })
  return !row?.disabledAt
}
