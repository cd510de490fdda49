import { config } from '@/lib/base/config/env'
import { wellKnown } from '@/lib/base/http/addresses'

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

/** RFC 9728: the resource's metadata, and that of the GraphQL endpoint. */
export const resourceMetadataPaths = new Map([
  [wellKnown.protectedResource, ''],
  [`${wellKnown.protectedResource}/graphql/v2`, '/graphql/v2'],
])
