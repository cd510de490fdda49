import type { IncomingMessage, ServerResponse } from 'node:http'
import { toOutageError } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { sendJson } from '@/lib/base/http/answers'
import { BodyTooLong, readBody } from '@/lib/base/http/body'
import { requestAddress } from '@/lib/base/http/client-address'
import { signingAlgs } from '@/lib/features/keys/signing-keys'
import type { Api } from '@/lib/features/resources/apis'
import { engineWithCurrentKeys, oauthEngine } from '../engine/provider'
import {
  answerMethod,
  callEngine,
  idJagProfile,
  jwtBearerGrant,
  metadataPaths,
  metadataRoute,
  methodsOf,
  mount,
  resourceMetadataPaths,
  routes,
  serverMetadataPaths,
  tokenExchangeGrant,
  unavailable,
} from '../protocol/routes'
import { apiInHeader } from '../store/api-tokens'
import { noteArrival } from '../store/request-unit'
import { answerApiIntrospection } from './api-introspection'
import { protectedResourceMetadata, sendDocument } from './published-documents'
import { answerRead } from './reads'

/**
 * Answers requests to all OAuth and OpenID Connect endpoints and metadata URLs. The Node server (server.ts)
 * calls this function directly, and Next route handlers call it through lib/server/bridge. If a database
 * outage prevents the response, sends 503 with Retry-After.
 */
export async function handleOAuth(req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    await answerOAuth(req, res)
  } catch (error) {
    if (res.headersSent || !toOutageError(error, 'oauth')) throw error
    res.setHeader('retry-after', String(outageRetrySeconds))
    sendJson(res, 503, unavailable)
  }
}

async function answerOAuth(req: IncomingMessage, res: ServerResponse): Promise<void> {
  noteArrival(req)
  res.setHeader('x-content-type-options', 'nosniff')
  const url = req.url ?? '/'
  const at = url.indexOf('?')
  const path = withoutSlash(at < 0 ? url : url.slice(0, at))
  const query = at < 0 ? '' : url.slice(at)
  if (!isDecodable(path)) return sendJson(res, 400, malformed)
  const resource = resourceMetadataPaths.get(path)
  if (resource !== undefined) return sendResourceMetadata(req, res, resource)

  const local = metadataPaths.has(path) ? metadataRoute : below(path)
  const methods = local === undefined ? undefined : methodsOf(local)
  if (local === undefined || methods === undefined) return sendUnknown(req, res, path)
  if (answerMethod(req, res, methods)) return
  if (local === routes.code_verification) return redirectToDevicePage(res, query)
  if (req.method === 'POST' && visitedByBrowsers.has(local)) {
    return redirectPostToGet(req, res, `${mount}${local}`)
  }
  const engine = local === routes.jwks ? await engineWithCurrentKeys() : await oauthEngine()
  if (req.method === 'GET' && (local === metadataRoute || local === routes.jwks)) {
    return sendDocument(engine, local, req, res, metadataCompletion(local, path))
  }
  const api =
    local === routes.introspection && req.method === 'POST' && apiInHeader(req.headers.authorization)
  if (api) return answerApiIntrospection(engine, api, req, res)
  if (query === '' && reads.has(local) && (await answerRead(engine, local, req, res))) return
  pinAddress(req)
  await callEngine(engine, `${local}${query}`, req, res)
}

/**
 * Returns the function that completes a document. Returns undefined for the key set, which needs no changes.
 * Only the RFC 8414 metadata lists the grant types for assertions and token exchange, which not every app can
 * use.
 */
const metadataCompletion = (local: string, path: string) =>
  local !== metadataRoute ? undefined : serverMetadataPaths.has(path) ? withProfiles : withApis

/**
 * Adds the registered APIs to the metadata: their scopes, their identifiers (RFC 9728 section 4), and the
 * algorithms of signed introspection responses (RFC 9701 section 7). If no API is registered, the metadata
 * does not change.
 */
function withApis(metadata: Record<string, unknown>, apis: readonly Api[]): Record<string, unknown> {
  if (apis.length === 0) return metadata
  return {
    ...metadata,
    scopes_supported: [
      ...(metadata.scopes_supported as string[]),
      ...apis.flatMap(({ scopes }) => scopes.map(({ name }) => name)),
    ],
    protected_resources: [
      ...(metadata.protected_resources as string[]),
      ...apis.map(({ identifier }) => identifier),
    ],
    introspection_signing_alg_values_supported: signingAlgs,
  }
}

/**
 * Adds the registered APIs, token exchange (if an API is registered), and assertions from customers' identity
 * providers (draft-ietf-oauth-identity-assertion-authz-grant section 7.2) to the metadata. The metadata does
 * not list the accepted identity providers.
 */
const withProfiles = (metadata: Record<string, unknown>, apis: readonly Api[]) => ({
  ...withApis(metadata, apis),
  grant_types_supported: [
    ...(metadata.grant_types_supported as string[]),
    jwtBearerGrant,
    ...(apis.length > 0 ? [tokenExchangeGrant] : []),
  ],
  authorization_grant_profiles_supported: [idJagProfile],
})

/** Endpoints that `answerRead` can answer without oidc-provider. */
const reads = new Set<string>([routes.userinfo, routes.introspection])

const visitedByBrowsers = new Set<string>([routes.authorization, routes.end_session])

/** Returns a path without the mount; undefined for a path outside the mount. */
const below = (path: string): string | undefined =>
  path.startsWith(`${mount}/`) ? path.slice(mount.length) : undefined

const malformed = {
  error: 'invalid_request',
  error_description: 'the URL contains malformed percent-encoding',
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * Sets the X-Forwarded-For header to the client's IP address according to TRUST_PROXY, or removes the header
 * if the IP address is unknown. Without this function, oidc-provider would trust the header from any client.
 */
function pinAddress(req: IncomingMessage): void {
  const address = requestAddress(req)
  if (address) req.headers['x-forwarded-for'] = address
  else delete req.headers['x-forwarded-for']
}

function sendResourceMetadata(req: IncomingMessage, res: ServerResponse, path: string): void {
  res.setHeader('access-control-allow-origin', '*')
  if (req.method === 'OPTIONS') {
    res.setHeader('access-control-allow-methods', 'GET')
    res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '*')
    res.statusCode = 204
    res.end()
    return
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.setHeader('allow', 'GET, HEAD, OPTIONS')
    sendJson(res, 405, { error: 'invalid_request', error_description: 'use GET to read the metadata' })
    return
  }
  sendJson(res, 200, protectedResourceMetadata(path))
}

/**
 * Redirects to our own page, where users enter device codes. The query, which can contain a code, is kept.
 */
function redirectToDevicePage(res: ServerResponse, query: string): void {
  res.statusCode = 302
  res.setHeader('location', `/device${query}`)
  res.end()
}

const sendUnknown = (req: IncomingMessage, res: ServerResponse, path: string): void =>
  sendJson(res, 404, {
    error: 'invalid_request',
    error_description: `no endpoint at ${req.method} ${path}`,
  })

/** The maximum form size, in bytes. A longer form would not fit in the query of the redirect. */
const mostBytes = 16 * 1024

/**
 * Redirects a form post to the same endpoint with the form as the query. OpenID Connect Core section 3.1.2.1
 * requires POST at the authorization endpoint, but a form post from another site carries no SameSite cookies,
 * so the user would appear signed out. Browsers send these cookies with the redirected request. Answers 413
 * if the form is too long, and 400 if the request is incomplete or contains no form.
 * @param path the path to redirect to
 */
export async function redirectPostToGet(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const body = await readBody(req, mostBytes).catch((error: Error) => error)
  if (body instanceof BodyTooLong) return refuse(res, 413, `the form must not exceed ${mostBytes} bytes`)
  if (body instanceof Error) return refuse(res, 400, 'the request ended early')
  if (!/^application\/x-www-form-urlencoded(;|$)/i.test(req.headers['content-type'] ?? '')) {
    return refuse(res, 400, 'only application/x-www-form-urlencoded is supported here')
  }
  // Parsing and serializing the form ensures that it can only add a query to the Location header.
  const form = new URLSearchParams(body.toString('utf8'))
  res.writeHead(303, { location: `${path}?${form}`, 'cache-control': 'no-store' }).end()
}

function refuse(res: ServerResponse, status: number, description: string): void {
  const error = { error: 'invalid_request', error_description: description }
  sendJson(res, status, error, { connection: 'close' })
}
