import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type KoaContextWithOIDC, type Provider, type ResourceServer } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { toOutageError } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { wellKnown } from '@/lib/base/http/addresses'
import { sendJson } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { verifyProof } from '@/lib/policy/proof-of-possession'
import { allScopes, clientSource } from '@/lib/policy/scopes'

/** The path prefix of the OAuth endpoints. The issuer identifier is BASE_URL followed by this prefix. */
export const mount = '/oauth'

/** Returns the issuer identifier (RFC 8414 section 2). */
export const issuer = (): string => `${config().BASE_URL}${mount}`

/**
 * The paths of the endpoints below the mount, by their names in oidc-provider (docs/api/contract.md, sections
 * 3 to 9).
 */
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

/** The metadata path of oidc-provider, below the mount. */
export const metadataRoute = wellKnown.openidConfiguration

/**
 * The paths of the server metadata, in addition to `metadataRoute`: the path of RFC 8414 section 3.1, and
 * other paths that common clients use.
 */
export const metadataPaths = new Set([
  mount + wellKnown.authorizationServer,
  wellKnown.authorizationServer,
  wellKnown.authorizationServer + mount,
  wellKnown.openidConfiguration + mount,
])

/**
 * The metadata paths with the well-known name of RFC 8414. The metadata at these paths also lists the grant
 * type for assertions with its profile and, if an API is registered, the grant type for token exchange.
 */
export const serverMetadataPaths = new Set(
  [...metadataPaths].filter((path) => path.includes(wellKnown.authorizationServer)),
)

/**
 * The paths of this service's own resources, for which tokens can be issued (RFC 8707): the whole service,
 * its API, and the MCP server. See ADR 0008.
 */
const resourcePaths = ['', '/graphql/v2', '/mcp']

/**
 * Returns the URLs of this service's own resources, for the `protected_resources` metadata (RFC 9728 section
 * 4).
 */
export const protectedResources = (): string[] => resourcePaths.map((path) => config().BASE_URL + path)

/** The paths of the resource metadata (RFC 9728), each with the path of its resource. */
export const resourceMetadataPaths = new Map(
  resourcePaths.map((path) => [`${wellKnown.protectedResource}${path}`, path]),
)

const identifiersOf = new Map<string, readonly string[]>()

/**
 * Returns the accepted resource indicators (RFC 8707) of this service's own resources, each with and without
 * a trailing slash. See ADR 0008.
 */
export function resourceIdentifiers(base: string = config().BASE_URL): readonly string[] {
  const known =
    identifiersOf.get(base) ?? resourcePaths.flatMap((path) => [`${base}${path}`, `${base}${path}/`])
  identifiersOf.set(base, known)
  return known
}

/**
 * Returns the resources in the payload of a code or token that are not this service's own, such as registered
 * APIs.
 */
export const foreignResources = ({ resource, aud }: Record<string, unknown>): string[] =>
  resource === undefined && aud === undefined
    ? []
    : [resource ?? [], aud ?? []]
        .flat()
        .filter((each): each is string => typeof each === 'string' && !resourceIdentifiers().includes(each))

/**
 * Returns whether an audience is the whole service. Tokens with this audience are also valid at the UserInfo
 * endpoint.
 */
export const coversService = (audience: unknown, base: string = config().BASE_URL): boolean =>
  audience === base || audience === `${base}/`

/**
 * Returns one of this service's own resources for oidc-provider. Its tokens are opaque, have the default
 * lifetime of one hour, and can have any scope of this service.
 * @throws errors.InvalidTarget for any other resource (RFC 8707 section 2)
 */
export function resourceServer(resource: string): ResourceServer {
  if (!resourceIdentifiers().includes(resource)) throw new errors.InvalidTarget()
  return { scope: allScopes.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
}

/** The grant type for devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * The grant type for app installations (RFC 6749 section 4.4). Only confidential apps that can be installed
 * can use it.
 */
export const clientCredentialsGrant = 'client_credentials'

/**
 * The grant type for SSO-managed apps (RFC 7523 section 2.1). Only confidential apps that a workspace admin
 * added as SSO-managed apps can use it.
 */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * The supported profile of `jwtBearerGrant` (draft-ietf-oauth-identity-assertion-authz-grant, section 7.2).
 */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** The grant type for an API that calls another API (RFC 8693). Only APIs can use it. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

/**
 * Grant types that only some apps, or only APIs, can use. The metadata at the OpenID Connect paths does not
 * list them.
 */
export const restrictedGrants: readonly string[] = [
  clientCredentialsGrant,
  jwtBearerGrant,
  tokenExchangeGrant,
]

const read = ['GET', 'HEAD', 'OPTIONS']
const send = ['POST', 'OPTIONS']
const visit = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** The endpoints with fixed paths below the mount, each with its methods. */
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

/**
 * The endpoints whose paths end with an ID, by the part of the path before the ID, each with its methods. The
 * ID belongs to a registered client or to a sign-in to resume.
 */
const collections = new Map<string, readonly string[]>([
  [routes.registration, ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
  [routes.authorization, read],
])

/**
 * Returns the methods of an endpoint. The path must match exactly. The router of oidc-provider ignores case
 * and trailing slashes, so a variant of a path could reach a page of oidc-provider that one of our pages
 * replaces.
 * @param local the path below the mount
 * @returns undefined for an unknown path
 */
export function methodsOf(local: string): readonly string[] | undefined {
  return endpoints.get(local) ?? collections.get(collectionOf(local))
}

/**
 * Returns the path of an endpoint for logs, with `[id]` in place of the ID of a client or sign-in.
 * @returns undefined for an unknown path
 */
export function endpointName(local: string): string | undefined {
  if (endpoints.has(local)) return local
  const collection = collectionOf(local)
  return collections.has(collection) ? `${collection}/[id]` : undefined
}

const collectionOf = (local: string): string => /^(\/[^/]+)\/[^/]+$/.exec(local)?.[1] ?? ''

/**
 * Answers OPTIONS requests with 204, and requests with an unsupported method with 405 (RFC 9110 section
 * 15.5.6). The Allow header lists the endpoint's methods. Leaves CORS preflights to oidc-provider.
 * @param allowed the methods of the endpoint
 * @returns whether the request was answered
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
  const description = `${method} is not supported here. Use ${first}`
  sendJson(res, 405, { error: 'invalid_request', error_description: description })
  return true
}

let pinned: { base: string; host: string; protocol: string } | undefined

/** Returns the host and protocol of BASE_URL. */
function address() {
  const base = config().BASE_URL
  if (pinned?.base !== base) {
    const { host, protocol } = new URL(base)
    pinned = { base, host, protocol: protocol.slice(0, -1) }
  }
  return pinned
}

/** The endpoints where oidc-provider reads a DPoP proof. */
const provenRoutes = new Set<string>([routes.token, routes.userinfo, routes.pushed_authorization_request])

/**
 * Replaces a DPoP proof that our own checks reject with an invalid value, which oidc-provider then rejects.
 * Leaves a proof whose only fault is a wrong time to oidc-provider, which answers with a nonce (RFC 9449
 * section 8). Does nothing at endpoints where oidc-provider reads no proof.
 * @param url the path and query below the mount
 */
async function rejectInvalidProof({ headers, method = '' }: IncomingMessage, url: string): Promise<void> {
  const route = url.split('?', 1)[0]?.toLowerCase() ?? ''
  if (!provenRoutes.has(route)) return
  const accessToken =
    route === routes.userinfo ? /^dpop +(\S+)$/i.exec(headers.authorization ?? '')?.[1] : undefined
  const sound = await verifyProof(String(headers.dpop), { method, url: issuer() + route, accessToken })
  if (!sound) headers.dpop = 'refused'
}

/**
 * Passes a request to oidc-provider. Sets the host and protocol in the request's headers to those of
 * BASE_URL, and replaces an invalid DPoP proof (`rejectInvalidProof`).
 * @param url the path and query below the mount
 */
export async function callEngine(
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
  if (headers.dpop !== undefined) await rejectInvalidProof(req, url)
  // Set both URLs, because oidc-provider derives the mount path from `originalUrl`, which includes the path,
  // and `url`, which does not.
  Object.assign(req, { originalUrl: `${mount}${url}`, url })
  await callback(req, res)
}

/** The number of characters after which a value from the client is truncated in an error message. */
const longestShown = 200

/** Returns a value from the client for an error message. Long values are truncated and end with "…". */
export const shortened = (sent: string): string =>
  sent.length > longestShown ? `${sent.slice(0, longestShown)}…` : sent

/**
 * Returns a value from the client for an error description. Percent-encodes double quotes, backslashes, and
 * all characters outside printable ASCII (RFC 6749 section 4.1.2.1).
 */
export const printable = (sent: string): string =>
  // Replace lone surrogates, which JSON can contain, because they cannot be percent-encoded.
  sent.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent)

/**
 * Returns whether a request contains an Authorization header, a client secret, or a client assertion. Does
 * not check these credentials, because oidc-provider rejects invalid ones.
 * @param ctx the context of the request, after oidc-provider has parsed the body
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
  [tokenExchangeGrant, 'token_exchange'],
])

/**
 * Returns the grant type, the app's type, and how the app was registered, for use as metric labels. An
 * unknown grant type becomes `other`, because labels must not contain free text from the client.
 */
export function describeRequest({ oidc }: KoaContextWithOIDC) {
  const { params, client: caller } = oidc ?? {}
  const asked = params?.grant_type
  // Omit the labels of the app, because the caller of a token exchange is an API.
  const client = asked === tokenExchangeGrant ? undefined : caller
  return {
    grant: asked === undefined ? undefined : (grants.get(String(asked)) ?? 'other'),
    app_type: client && (client.applicationType === 'native' ? 'native' : 'web'),
    app_source: client && clientSource(client.clientId).toLowerCase(),
  }
}

/**
 * The response body for status 503 during a database outage. The error code is from RFC 6749 section 4.1.2.1.
 */
export const unavailable = {
  error: 'temporarily_unavailable',
  error_description: 'the service is temporarily unavailable: try again shortly',
}

const away = new WeakSet<object>()

/**
 * If the error is a database outage, logs a warning and marks the request for `answerOutage`. Logs any other
 * error as unexpected.
 */
export function recordServerError(ctx: KoaContextWithOIDC, error: unknown): void {
  if (toOutageError(error, 'oauth')) away.add(ctx)
  else log.error('oidc-provider failed', { error })
}

/**
 * Changes a response's status from 500 to 503 and adds Retry-After if the request failed because of a
 * database outage. Also replaces a JSON body with `unavailable`. Pages keep their own text.
 */
export function answerOutage(ctx: KoaContextWithOIDC): void {
  if (!away.has(ctx) || ctx.status !== 500) return
  ctx.status = 503
  ctx.set('retry-after', String(outageRetrySeconds))
  if (ctx.response.is('json')) ctx.body = unavailable
}
