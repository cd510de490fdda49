import { type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { countAttempt, isWithinLimit } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { isHostAmong } from '@/lib/base/http/origin'
import { guardedWebFetch } from '@/lib/base/outbound/guarded-fetch'
import { clientSource } from '@/lib/policy/scopes'

/**
 * This module defines the policy for clients whose ID is the https URL of a metadata document
 * (draft-ietf-oauth-client-id-metadata-document-02). oidc-provider fetches, validates, and caches the
 * documents.
 */

/**
 * The minimum and maximum cache lifetimes of a document, in seconds. Within this range, the document's own
 * cache headers apply.
 */
export const cacheDuration = { min: 60, max: 24 * 3600 }

/** The maximum sizes of responses that are fetched for a client, in bytes. */
export const fetchResponseBodyLimits = {
  'client_id metadata document': 16 * 1024,
  jwks_uri: 64 * 1024,
}

/**
 * Sends the outgoing requests of oidc-provider through the guard against internal addresses
 * (lib/base/outbound). Counts the fetches of key sets, and removes the cache headers from the responses. With
 * these headers, oidc-provider would cache a withdrawn key, or an error, for as long as the headers specify.
 * Without these headers, oidc-provider caches the response for a minute.
 * @throws AppError RATE_LIMITED if the IP address has triggered too many fetches of key sets and documents
 */
export const outgoingFetch: typeof fetch = async (input, init) => {
  const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown }
  const url = String(input instanceof Request ? input.url : input)
  const ctx = Provider.ctx
  const keySet = ctx?.oidc.client?.jwksUri
  if (!ctx || !keySet || URL.parse(keySet)?.href !== url) return guardedWebFetch(url, rest)
  // Fetches of documents have already been counted (`allowFetch`). Count fetches of keys here, because even
  // unauthenticated requests can trigger them.
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
  message: 'too many documents were fetched for this address: try again in a minute',
}

/**
 * Returns whether the settings `metadataDocuments` and `metadataDocumentHosts` allow documents from the host
 * of a client ID.
 */
function isHostAccepted(clientId: string): boolean {
  const { metadataDocuments: taken, metadataDocumentHosts: hosts } = config()
  if (taken !== 'hosts') return taken === 'on'
  const host = URL.parse(clientId)?.hostname ?? ''
  return isHostAmong(hosts, host)
}

/**
 * Returns whether a document can be fetched now, and counts the fetch. The number of fetches that an IP
 * address can trigger is limited. The settings must allow the document's host. oidc-provider would also
 * accept HTTPS://, but this function requires the exact prefix (`clientSource` in scopes.ts), and it limits
 * the length of the client ID.
 */
export async function allowFetch(ctx: KoaContextWithOIDC | undefined, clientId: string): Promise<boolean> {
  if (clientSource(clientId) !== 'METADATA_DOCUMENT' || clientId.length > 500) return false
  if (!isHostAccepted(clientId)) return false
  // Allow fetches by background jobs, which have no client IP address to limit. They load clients only to
  // send notifications that are already stored.
  return !ctx || isWithinLimit(fetches, ctx.ip)
}

/**
 * Returns whether a client with a metadata document can be used. If the document was cached, an instance
 * admin might have blocked its host or disabled the client in the meantime.
 */
export async function allowClient(_ctx: KoaContextWithOIDC, client: Client): Promise<boolean> {
  if (!isHostAccepted(client.clientId)) return false
  const row = await prisma().oAuthClient.findUnique({
    where: { id: client.clientId },
    select: { disabledAt: true },
  })
  return !row?.disabledAt
}
