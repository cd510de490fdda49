import {
  type Client,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type Provider,
  type ResourceServer,
} from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { derivedKey, derivedKeys } from '@/lib/base/credentials/seal'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { hostCookieName, secureCookieName } from '@/lib/base/http/visitor'
import { allLanguages } from '@/lib/base/language/languages'
import { installationNamed } from '@/lib/features/app-access/installations'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'
import { findInstallation } from '@/lib/policy/app-grants'
import { allowedTo } from '@/lib/policy/app-status'
import { clientSource, isScope, requestableScopes, withIncluded } from '@/lib/policy/scopes'
import { clientCredentialsGrant, protectedResources, resourceServer } from '../protocol/routes'
import { implyHighSecurity, isHighSecurity } from '../protocol/security-profile'
import {
  type Metadata,
  newDynamicClientId,
  normalizeDocument,
  normalizeMetadata,
} from '../registration/client-metadata'
import { allowClient, allowFetch, cacheDuration } from '../registration/metadata-documents'
import { findClientRow } from '../store/clients'
import {
  apiOfResource,
  apiResourceServer,
  checkApiScopes,
  requireApiScopes,
  useGrantedApi,
} from './api-resources'
import { checkRequestObject, clientAuthMethods } from './client-authentication'
import { logoutSource, postLogoutSuccessSource } from './sign-out'

/**
 * Returns whether a token was issued to an app. An app can revoke and introspect only its own tokens (RFC
 * 7009, RFC 7662).
 */
export const canInspect = (client: { clientId: string }, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId

/**
 * Returns the settings of OAuth and OpenID Connect features (docs/api/contract.md, section 1). All other
 * features keep the default of oidc-provider.
 */
export const features = (): Configuration['features'] => ({
  devInteractions: { enabled: false },
  claimsParameter: { enabled: true },
  userinfo: { enabled: true },
  // OpenID Connect Core section 5.3.2. Responses are signed for clients that register
  // `userinfo_signed_response_alg`.
  jwtUserinfo: { enabled: true },
  // RFC 8628. Users enter codes on our own pages (app/device). The pages of oidc-provider are unreachable.
  deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
  // The grant type for app installations (RFC 6749 section 4.4). engine/answer-rules adjusts the metadata and
  // the token response.
  clientCredentials: { enabled: true },
  // RFC 7591 and 7592. The registration access token does not rotate, because agents lose rotated tokens.
  registration: {
    enabled: true,
    initialAccessToken: false,
    issueRegistrationAccessToken: true,
    idFactory: newDynamicClientId,
    secretFactory: () => mintCredential('clientSecret'),
  },
  registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch, allowClient, cacheDuration },
  // This feature is required because the keys from engine/create-provider sign outside of oidc-provider.
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
  // Request objects (RFC 9101) are accepted only by value. The only accepted request URIs are those of pushed
  // requests.
  requestObjects: { enabled: true, assertJwtClaimsAndHeader: checkRequestObject },
  fapi: { enabled: true, profile: (_ctx, client) => (isHighSecurity(client) ? '2.0' : undefined) },
  // RFC 9126
  pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => canInspect(client, token) },
  introspection: {
    enabled: true,
    allowedPolicy: async (_ctx, client, token) =>
      canInspect(client, token) && (await apiOfResource((token as { aud?: unknown }).aud)) === undefined,
  },
  rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
  backchannelLogout: { enabled: true },
  // RFC 9449
  dPoP: { enabled: true, nonceSecret: derivedKey('dpop-nonce'), requireNonce: () => false },
  // RFC 8707
  resourceIndicators: {
    enabled: true,
    getResourceServerInfo: resourceServerInfo,
    defaultResource,
    useGrantedResource: useGrantedApi,
  },
})

const asksForItself = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.params?.grant_type === clientCredentialsGrant

/**
 * Returns the scopes, audience, format, and lifetime of tokens for a resource (RFC 8707). A token for a user
 * can be for this service or for an API that an instance admin registered.
 *
 * An app that requests a token for itself names one of its installations. The token has at most the scopes of
 * that installation. If the request has no `scope`, adds all scopes of the installation (RFC 6749 section
 * 3.3). If the app names a resource of this service instead, the token has no scopes and can only list the
 * app's installations. See ADR 0020.
 * @throws errors.InvalidTarget for an unknown resource, an installation of another app, or an installation
 * that is not active
 * @throws errors.InvalidScope if the installation has none of the requested scopes
 */
async function resourceServerInfo(ctx: KoaContextWithOIDC, resource: string): Promise<ResourceServer> {
  if (!asksForItself(ctx)) {
    const api = await apiOfResource(resource)
    return api ? apiResourceServer(api) : resourceServer(resource)
  }
  const id = installationNamed(resource)
  if (id === undefined) return { ...resourceServer(resource), scope: '' }
  const { client, params } = ctx.oidc
  const installation = client && (await findInstallation(id, client.clientId))
  if (!installation) {
    throw new errors.InvalidTarget(
      'this is not an active installation of the app: it was uninstalled or suspended, the workspace blocks the app, or it never existed',
    )
  }
  const allowed = withIncluded(installation.scopes)
  const asked = typeof params?.scope === 'string' ? params.scope.split(' ') : undefined
  if (asked && !asked.some((scope) => allowed.includes(scope))) {
    throw new errors.InvalidScope('the installation has none of these scopes', asked.join(' '))
  }
  if (params && !asked) params.scope = installation.scopes.join(' ')
  return { scope: allowed.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
}

/**
 * Returns the resource of a token if the request does not determine it. If there are several candidates,
 * returns the first. If there are none, returns this service's API for an app that requests a token for
 * itself, and undefined otherwise.
 */
const defaultResource = async (
  ctx: KoaContextWithOIDC,
  _client: unknown,
  oneOf?: readonly string[],
): Promise<string | undefined> =>
  oneOf?.[0] ?? (asksForItself(ctx) ? `${config().BASE_URL}/graphql/v2` : undefined)

/**
 * Returns the metadata that oidc-provider does not derive from its configuration (RFC 8414 section 2, RFC
 * 9728 section 4).
 */
export const discovery = () => ({
  service_documentation: `${config().BASE_URL}/docs`,
  ui_locales_supported: allLanguages,
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: clientSigningAlgs,
  introspection_endpoint_auth_methods_supported: clientAuthMethods,
  introspection_endpoint_auth_signing_alg_values_supported: clientSigningAlgs,
  protected_resources: protectedResources(),
})

/**
 * Returns the cookie settings. The first key signs and all keys verify, so that during a rotation of
 * SECRET_KEY, every replica accepts the cookies that other replicas have signed. The interaction cookie is
 * bound to the path of its page, so that two tabs do not overwrite each other's cookie.
 */
export const cookies = () => ({
  names: {
    session: hostCookieName('latchkey_oauth'),
    interaction: secureCookieName('latchkey_interaction'),
    resume: secureCookieName('latchkey_resume'),
  },
  keys: derivedKeys('oauth-cookies').map((key) => key.toString('hex')),
  long: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true, path: '/' },
  short: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true },
})

/**
 * Returns the origin of an http or https URI, or undefined for any other URI. Omits the port of a loopback
 * URI, because clients choose the port when they start.
 */
function comparable(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  return isLoopbackHost(url.hostname) ? `${url.protocol}//${url.hostname}` : url.origin
}

/**
 * Returns whether an origin can read the responses to a client. The origin `null` is never allowed. At
 * /oauth/me, any other origin is allowed, because only the token grants access. At other endpoints, the
 * origins of a client's redirect URIs are allowed, but only if the client does not have to authenticate.
 * Clients with a secret or key do not run in browsers.
 */
export function clientBasedCORS(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === 'null') return false
  if (ctx.oidc.route === 'userinfo') return true
  if (client.clientAuthMethod !== 'none') return false
  const wanted = comparable(origin)
  return wanted !== undefined && (client.redirectUris ?? []).some((uri) => comparable(uri) === wanted)
}

/**
 * The PKCE setting. PKCE (RFC 7636) with S256 is required for public clients and high-security apps. For
 * other clients, PKCE is only recommended (docs/api/contract.md, section 4), because their codes are useless
 * without client authentication.
 */
export const pkce = {
  required: (_ctx: KoaContextWithOIDC, client: Client): boolean =>
    client.tokenEndpointAuthMethod === 'none' || isHighSecurity(client),
}

/**
 * Returns whether a refresh replaces the refresh token: always for a public client (RFC 9700 section 2.2.2),
 * after 70% of the token's lifetime for a confidential client, and never for a high-security app (FAPI 2.0
 * Security Profile section 5.3.2.1).
 */
export function rotateRefreshToken(ctx: KoaContextWithOIDC): boolean {
  const token = ctx.oidc.entities.RefreshToken
  if (isHighSecurity(ctx.oidc.client)) return false
  return ctx.oidc.client?.clientAuthMethod === 'none' || (token?.ttlPercentagePassed() ?? 100) >= 70
}

/**
 * Returns whether to issue a refresh token: if the client can use the grant type and the scopes contain
 * `offline_access`. In an authorization request, oidc-provider accepts this scope only with `prompt=consent`.
 */
export const issueRefreshToken = async (
  _ctx: KoaContextWithOIDC,
  client: Client,
  source: { scopes: Set<string> },
): Promise<boolean> => client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access')

const arriving = new Set(['registration', 'client_update'])

/**
 * Additional client metadata (RFC 7591 section 2). oidc-provider calls `validator` for each of the
 * `properties` before its own checks. The call for `software_id` normalizes metadata documents and the
 * metadata in registration requests. For every client, it also sets the metadata that `high_security` implies
 * (ADR 0008).
 */
export const extraClientMetadata = {
  properties: ['software_id', 'software_version', 'high_security'],
  validator(ctx: KoaContextWithOIDC | undefined, name: string, _value: unknown, metadata: object): void {
    if (name !== 'software_id') return
    const client = metadata as Metadata
    if (clientSource(String(client.client_id)) === 'METADATA_DOCUMENT') normalizeDocument(client)
    else if (ctx?.oidc && arriving.has(ctx.oidc.route)) normalizeMetadata(client)
    implyHighSecurity(client)
  },
}

/**
 * Removes scopes that the app is not allowed to request, just as oidc-provider removes unknown scopes. The
 * `scope` metadata of oidc-provider (RFC 7591 section 2) cannot be used for this, because oidc-provider would
 * then reject the whole request. See ADR 0018.
 */
async function dropScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const { client } = ctx.oidc
  if (!client) return
  const { clientId } = client
  dropDisallowedScopes(ctx, allowedTo(clientId, (await findClientRow(clientId))?.allowedScopes))
}

/**
 * Limits the scopes of a request to the scopes in `allowed` and those that they include. If no scope remains,
 * removes the parameter. An empty list allows all scopes.
 */
export function dropDisallowedScopes(
  { oidc: { params } }: KoaContextWithOIDC,
  allowed: readonly string[],
): void {
  if (allowed.length === 0 || typeof params?.scope !== 'string') return
  params.scope = requestableScopes(params.scope.split(' '), allowed).join(' ') || undefined
}

/**
 * Requires `scope` with `openid` in authorization requests (docs/api/contract.md, section 4), including
 * pushed requests, but not at the device authorization endpoint. Removes scopes that the app cannot request.
 * @throws errors.InvalidRequest if an authorization request has no `scope` (RFC 6749 section 4.1.2.1)
 * @throws errors.InvalidScope if `openid` is missing or commas separate the scopes, and the errors of
 *   `checkApiScopes` and `requireApiScopes`
 */
export async function requireOpenid(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const commas = commasInScope(ctx)
  if (commas) throw new errors.InvalidScope(commas, scope ?? '')
  await checkApiScopes(ctx)
  if (ctx.oidc.route === 'device_authorization') {
    await dropScopes(ctx)
    return requireApiScopes(ctx)
  }
  if (!scope) throw new errors.InvalidRequest("missing required parameter(s) 'scope'")
  if (!scope.split(' ').includes('openid')) {
    throw new errors.InvalidScope('scope must contain openid', scope)
  }
  await dropScopes(ctx)
  requireApiScopes(ctx)
}

/**
 * Returns the error description if the request separates scopes with commas and at least one of them is a
 * scope of this service; undefined otherwise.
 */
export function commasInScope(ctx: KoaContextWithOIDC): string | undefined {
  const sent = (ctx.method === 'POST' ? ctx.oidc.body : ctx.query)?.scope
  const pieces = typeof sent === 'string' ? sent.split(' ').filter((piece) => piece.includes(',')) : []
  const known = pieces.flatMap((piece) => piece.split(',')).some(isScope)
  return known ? 'scopes are separated by spaces, not commas' : undefined
}

/**
 * Makes oidc-provider ignore extra spaces in `scope`. Some agents send them, although RFC 6749 section 3.3
 * requires exactly one space between two scopes. By default, oidc-provider rejects such requests.
 */
export function ignoreExtraSpaces(provider: Provider): void {
  const kept = Symbol('params')
  type Subject = { [kept]?: unknown }
  const { OIDCContext } = provider as unknown as { OIDCContext: { prototype: object } }
  Object.defineProperty(OIDCContext.prototype, 'params', {
    configurable: true,
    get(this: Subject) {
      return this[kept]
    },
    set(this: Subject, params: { scope?: unknown } | undefined) {
      if (typeof params?.scope === 'string') {
        params.scope = params.scope.split(' ').filter(Boolean).join(' ') || undefined
      }
      this[kept] = params
    },
  })
}
