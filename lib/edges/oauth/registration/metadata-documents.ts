import { type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { isHostAmong } from '@/lib/base/http/origin'
import { guardedWebFetch } from '@/lib/base/outbound/guarded-fetch'
import { clientSource } from '@/lib/policy/scopes'

/**
 * Clients whose ID is the https URL of a metadata document (draft-ietf-oauth-client-id-metadata-document-02).
 * oidc-provider fetches, validates, and caches the documents. This module defines the policy for these
 * clients.
 */

/**
 * The minimum and maximum cache lifetimes of a document, in seconds. Within this range, the document's own cache headers
 * apply.
 */
export const cacheDuration = { min: 60, max: 24 * 3600 }

/** The maximum sizes of responses that are fetched for a client, in bytes. */
export const fetchResponseBodyLimits = {
  'client_id metadata document': 16 * 1024,
  jwks_uri: 64 * 1024,
  sector_identifier_uri: 16 * 1024,
}

/**
 * Routes outgoing requests of oidc-provider through the guard against internal addresses (lib/base/outbound). Removes
 * the cache headers of key sets. Otherwise, oidc-provider would cache a withdrawn key, or an error, for as long as the
 * headers specify. Without these headers, oidc-provider caches the response for a minute.
 */
export const outgoingFetch: typeof fetch = async (input, init) => {
  const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown }
  const url = String(input instanceof Request ? input.url : input)
  const ctx = Provider.ctx
  const keySet = ctx?.oidc.client?.jwksUri
  if (!ctx || !keySet || URL.parse(keySet)?.href !== url) return guardedWebFetch(url, rest)
  // Fetches of documents have already been counted (`allowFetch`). Fetches of keys are counted here, because unauthenticated
  // requests can also trigger them.
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

/** Returns whether the instance admin accepts documents from the host of a client ID (metadataDocuments). */
function isHostAccepted(clientId: string): boolean {
  const { metadataDocuments: taken, metadataDocumentHosts: hosts } = config()
  if (taken !== 'hosts') return taken === 'on'
  const host = URL.parse(clientId)?.hostname ?? ''
  return isHostAmong(hosts, host)
}

/**
 * Returns whether a document can be fetched now. The number of fetches that an IP address can trigger is limited.
 * oidc-provider would also accept HTTPS://, but this function requires the exact prefix (`clientSource` in scopes.ts).
 */
export async function allowFetch(ctx: KoaContextWithOIDC | undefined, clientId: string): Promise<boolean> {
  if (clientSource(clientId) !== 'METADATA_DOCUMENT' || clientId.length > 500) return false
  if (!isHostAccepted(clientId)) return false
  // Background jobs have no client IP address to limit. They load clients only to send notifications that are already
  // stored.
  if (!ctx) return true
  try {
    await countAttempt(fetches, ctx.ip)
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/**
 * Returns whether a client whose document is cached can still be used. An instance admin might have blocked the document's
 * host or disabled the client in the meantime.
 */
export async function allowClient(_ctx: KoaContextWithOIDC, client: Client): Promise<boolean> {
  if (!isHostAccepted(client.clientId)) return false
  const row = await prisma().oAuthClient.findUnique({
    where: { id: client.clientId },
    select: { disabledAt: true },
  })
  return !row?.disabledAt
}
