import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type KoaContextWithOIDC, type Provider, type ResourceServer } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { toOutageError } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { wellKnown } from '@/lib/base/http/addresses'
import { sendJson } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { judgeProof } from '@/lib/policy/proof-of-possession'
import { allScopes, clientSource } from '@/lib/policy/scopes'

/** Where the OAuth endpoints live; the issuer is {base}/oauth. */
export const mount = '/oauth'

/** The issuer identifier (RFC 8414 section 2). */
export const issuer = (): string => `${config().BASE_URL}${mount}`

/** The endpoints below the mount (docs/api/contract.md, sections 3 to 9). */
export const routes = {
  authorization: '/auth',
  token: '/token',
  userinfo: '/me',
  registration: '/register',
  pushed_authorization_request: '/request',
  device_authorization: '/device/auth',
  code_verification: '/device',
  jwks: '/jwks',
  revocation: '/token/revocation',
  introspection: '/token/introspection',
  end_session: '/session/end',
}

/** Where the engine has the metadata, below the mount. */
export const metadataRoute = wellKnown.openidConfiguration

/** Every address of the server's metadata: below the issuer, and where RFC 8414 section 3.1 and common clients look. */
export const metadataPaths = new Set([
  mount + wellKnown.authorizationServer,
  wellKnown.authorizationServer,
  wellKnown.authorizationServer + mount,
  wellKnown.openidConfiguration + mount,
])

/** Those of RFC 8414, which also tell of grants that exist for some apps alone. See ADR 0031. */
export const serverMetadataPaths = new Set(
  [...metadataPaths].filter((path) => path.includes(wellKnown.authorizationServer)),
)

/** What a token can be asked for (RFC 8707): the whole service, its API, and agents' tools. See ADR 0010. */
const resourcePaths = ['', '/graphql/v2', '/mcp']

/** Returns the address of each resource (RFC 9728 section 4). */
export const protectedResources = (): string[] => resourcePaths.map((path) => config().BASE_URL + path)

/** RFC 9728: where each resource's metadata is, which names the path of the resource. */
export const resourceMetadataPaths = new Map(
  resourcePaths.map((path) => [`${wellKnown.protectedResource}${path}`, path]),
)

const identifiersOf = new Map<string, readonly string[]>()

/** Every accepted resource indicator (RFC 8707), with and without a slash at the end. See ADR 0010. */
export function resourceIdentifiers(base: string = config().BASE_URL): readonly string[] {
  const known =
    identifiersOf.get(base) ?? resourcePaths.flatMap((path) => [`${base}${path}`, `${base}${path}/`])
  identifiersOf.set(base, known)
  return known
}

/** Whether a token bound to this audience is meant for the whole service, its UserInfo endpoint included. */
export const coversService = (audience: unknown, base: string = config().BASE_URL): boolean =>
  audience === base || audience === `${base}/`

/**
 * What the engine needs to know of a resource. Tokens for it stay opaque, live as long as any other and may carry any scope.
 * @throws errors.InvalidTarget for a resource of somebody else (RFC 8707 section 2)
 */
export function resourceServer(resource: string): ResourceServer {
  if (!resourceIdentifiers().includes(resource)) throw new errors.InvalidTarget()
  return { scope: allScopes.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
}

/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant of an app that asks for itself (RFC 6749 section 4.4): of apps that can be installed, and of no others. */
export const clientCredentialsGrant = 'client_credentials'

/** The grant of SSO-managed apps (RFC 7523 section 2.1): of apps that an admin allowed, and of no others. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The profile of it that is taken here (draft-ietf-oauth-identity-assertion-authz-grant, section 7.2). */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** Grants that exist for some apps alone: neither the metadata of docs/api/contract.md nor a refusal tells the others of them. */
export const grantsOfSome: readonly string[] = [clientCredentialsGrant, jwtBearerGrant]

const read = ['GET', 'HEAD', 'OPTIONS']
const send = ['POST', 'OPTIONS']
const visit = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** Every endpoint below the mount, and what it takes. */
const endpoints = new Map<string, readonly string[]>([
  [routes.authorization, visit],
  [routes.token, send],
  [routes.userinfo, visit],
  [routes.registration, send],
  [routes.pushed_authorization_request, send],
  [routes.device_authorization, send],
  [routes.code_verification, visit],
  [routes.jwks, read],
  [routes.revocation, send],
  [routes.introspection, send],
  [routes.end_session, visit],
  [`${routes.end_session}/confirm`, send],
  [`${routes.end_session}/success`, read],
  [metadataRoute, read],
])

/** Endpoints with one thing each below them: a registered client, a sign-in to return to. */
const collections = new Map<string, readonly string[]>([
  [routes.registration, ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
  [routes.authorization, read],
])

/**
 * The methods an endpoint takes. Addresses are exact: the engine's router ignores case and slashes at the end, and would
 * lead to pages of its own that the product replaces.
 * @param local the path below the mount
 * @returns undefined for a path that is no endpoint
 */
export function methodsOf(local: string): readonly string[] | undefined {
  return endpoints.get(local) ?? collections.get(collectionOf(local))
}

/** An endpoint's path as it may stand in a log, where the id of a client or a sign-in may not. @returns undefined for no endpoint */
export function endpointName(local: string): string | undefined {
  if (endpoints.has(local)) return local
  const collection = collectionOf(local)
  return collections.has(collection) ? `${collection}/[id]` : undefined
}

const collectionOf = (local: string): string => /^(\/[^/]+)\/[^/]+$/.exec(local)?.[1] ?? ''

/**
 * Answers what an endpoint need not be asked for: a method it does not take is a 405 that names those it does (RFC 9110
 * section 15.5.6), and OPTIONS is told them. What a browser asks before a cross-origin request is left to the engine.
 * @param allowed what the endpoint takes
 * @returns whether it was answered
 */
export function answerMethod(req: IncomingMessage, res: ServerResponse, allowed: readonly string[]): boolean {
  const method = req.method as string
  const preflight = method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (preflight || (method !== 'OPTIONS' && allowed.includes(method))) return false
  res.setHeader('allow', allowed.join(', '))
  if (method === 'OPTIONS') {
    res.statusCode = 204
    res.end()
    return true
  }
  const [first] = allowed
  const description = `${method} is not understood here; use ${first}`
  sendJson(res, 405, { error: 'invalid_request', error_description: description })
  return true
}

let pinned: { base: string; host: string; protocol: string } | undefined

/** Host and protocol of BASE_URL. */
function address() {
  const base = config().BASE_URL
  if (pinned?.base !== base) {
    const { host, protocol } = new URL(base)
    pinned = { base, host, protocol: protocol.slice(0, -1) }
  }
  return pinned
}

/** The endpoints at which the engine reads a DPoP proof. */
const provenRoutes = new Set<string>([routes.token, routes.userinfo, routes.pushed_authorization_request])

/**
 * Hides a DPoP proof that the rule of the product refuses: the engine then answers as it does to any text that is no proof.
 * Proofs whose time is wrong are left to the engine, which answers with a nonce for them (RFC 9449 section 8).
 * @param url path and query below the mount
 */
async function judgeProofOf({ headers, method = '' }: IncomingMessage, url: string): Promise<void> {
  const route = url.split('?', 1)[0]?.toLowerCase() ?? ''
  if (!provenRoutes.has(route)) return
  const accessToken =
    route === routes.userinfo ? /^dpop +(\S+)$/i.exec(headers.authorization ?? '')?.[1] : undefined
  const sound = await judgeProof(String(headers.dpop), { method, url: issuer() + route, accessToken })
  if (!sound) headers.dpop = 'refused'
}

/**
 * Hands a request to the engine. The host and protocol it sees are those of BASE_URL, whatever a client or proxy named.
 * @param url path and query below the mount
 */
export async function enterEngine(
  { callback }: { callback: ReturnType<Provider['callback']> },
  url: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { host, protocol } = address()
  const { headers } = req
  headers.host = host
  headers['x-forwarded-proto'] = protocol
  if (headers['x-forwarded-host'] !== undefined) delete headers['x-forwarded-host']
  if (headers.dpop !== undefined) await judgeProofOf(req, url)
  // The engine derives its mount path from the two: originalUrl keeps it, url has lost it.
  Object.assign(req, { originalUrl: `${mount}${url}`, url })
  await callback(req, res)
}

/** So much of a stranger's value is repeated to somebody. */
const longestShown = 200

/** A value that was sent, as far as it is repeated: one that is too long ends in "…". */
export const shortened = (sent: string): string =>
  sent.length > longestShown ? `${sent.slice(0, longestShown)}…` : sent

/**
 * A value that was sent, for a sentence of ours: in printable ASCII without quotes and backslashes (RFC 6749 section 4.1.2.1), what is
 * none of it encoded.
 */
export const printable = (sent: string): string =>
  // Half of a pair, which JSON can hold, is no character that could be encoded.
  sent.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent)

/**
 * Returns whether a request brings credentials of its client: a header, a secret or an assertion. The engine refuses those
 * that are wrong.
 * @param ctx once the engine has read the body
 */
export function sentCredentials({ headers, oidc }: KoaContextWithOIDC): boolean {
  const { client_secret: secret, client_assertion: assertion } = (oidc.body ?? {}) as Record<string, unknown>
  return headers.authorization !== undefined || Boolean(secret) || Boolean(assertion)
}

const grants = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  [deviceGrant, 'device_code'],
  [clientCredentialsGrant, 'client_credentials'],
  [jwtBearerGrant, 'jwt_bearer'],
])

/** By which grant a token was asked for, and what kind of app asks: none of it is the client's own word. */
export function describeRequest({ oidc }: KoaContextWithOIDC) {
  const { params, client } = oidc ?? {}
  const asked = params?.grant_type
  return {
    grant: asked === undefined ? undefined : (grants.get(String(asked)) ?? 'other'),
    app_type: client && (client.applicationType === 'native' ? 'native' : 'web'),
    app_source: client && clientSource(client.clientId).toLowerCase(),
  }
}

/** What an endpoint says while the database is away (RFC 6749 section 4.1.2.1 has the code; 503 is RFC 9110's). */
export const unavailable = {
  error: 'temporarily_unavailable',
  error_description: 'the service cannot answer at the moment, try again shortly',
}

const away = new WeakSet<object>()

/** Logs what nobody expected, and remembers of a request whether it failed because the database is away. */
export function noteDefect(ctx: KoaContextWithOIDC, error: unknown): void {
  if (toOutageError(error, 'oauth')) away.add(ctx)
  else log.error('oidc-provider failed', { error })
}

/** Answers 503 where the engine, which knows of no outages, would answer 500. Its pages say it in their own words. */
export function tellOutage(ctx: KoaContextWithOIDC): void {
  if (!away.has(ctx) || ctx.status !== 500) return
  ctx.status = 503
  ctx.set('retry-after', String(outageRetrySeconds))
  if (ctx.response.is('json')) ctx.body = unavailable
}
