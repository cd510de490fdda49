import { errors, type ResourceServer } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { wellKnown } from '@/lib/base/http/addresses'
import { allScopes } from '@/lib/policy/scopes'

/** Where the OAuth endpoints live; the issuer is {base}/oauth. */
export const mount = '/oauth'

/** The issuer identifier (RFC 8414 section 2). */
export const issuer = (): string => `${config().BASE_URL}${mount}`

/** The endpoints below the mount (docs/contract.md, sections 3 to 9). */
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

/** Those of RFC 8414, which also tell of grants that exist for some apps alone. See decision 219. */
export const serverMetadataPaths = new Set(
  [...metadataPaths].filter((path) => path.includes(wellKnown.authorizationServer)),
)

/** What a token can be asked for (RFC 8707): the whole service, its API, and agents' tools. See decision 015. */
const resourcePaths = ['', '/graphql/v2', '/mcp']

/** Returns the address of each resource (RFC 9728 section 4). */
export const protectedResources = (): string[] => resourcePaths.map((path) => config().BASE_URL + path)

/** RFC 9728: where each resource's metadata is, which names the path of the resource. */
export const resourceMetadataPaths = new Map(
  resourcePaths.map((path) => [`${wellKnown.protectedResource}${path}`, path]),
)

const identifiersOf = new Map<string, readonly string[]>()

/** Every accepted resource indicator (RFC 8707), with and without a slash at the end. See decision 015. */
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
