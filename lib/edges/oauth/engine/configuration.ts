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
import { hostCookieName, secureCookieName } from '@/lib/base/http/cookies'
import { allLanguages } from '@/lib/base/language/languages'
import { installationNamed } from '@/lib/features/app-access/installations'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'
import { findInstallation } from '@/lib/policy/app-grants'
import { allowedTo } from '@/lib/policy/app-status'
import { askable, clientSource, isScope, withIncluded } from '@/lib/policy/scopes'
import { clientCredentialsGrant, protectedResources, resourceServer } from '../protocol/routes'
import { implyHighSecurity, isHighSecurity } from '../protocol/security-profile'
import {
  type Metadata,
  newDynamicClientId,
  normaliseDocument,
  normaliseMetadata,
} from '../registration/client-metadata'
import { allowClient, allowFetch, cacheDuration } from '../registration/metadata-documents'
import { findClientRow } from '../store/clients'
import { assertRequestObject, clientAuthMethods } from './client-authentication'
import { logoutSource, postLogoutSuccessSource } from './sign-out'

/** RFC 7009 and 7662: an app may ask about its own tokens. */
export const mayAskAbout = (
  client: { clientId: string },
  token: { clientId?: string | undefined },
): boolean => token.clientId === client.clientId

/** What of OAuth and OpenID Connect is on (docs/api/contract.md, section 1). Whatever is not named here is off or as the engine has it. */
export const features = (): Configuration['features'] => ({
  devInteractions: { enabled: false },
  claimsParameter: { enabled: true },
  userinfo: { enabled: true },
  // OpenID Connect Core section 5.3.2: signed for clients that register `userinfo_signed_response_alg`.
  jwtUserinfo: { enabled: true },
  // RFC 8628. Codes are typed on our own pages (app/device), so the engine's stay unreachable.
  deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
  // RFC 6749 section 4.4, for installations. What metadata and answers say of it: engine/answer-rules.
  clientCredentials: { enabled: true },
  // RFC 7591 and 7592. The registration token stays stable, because agents lose a rotated one.
  registration: {
    enabled: true,
    initialAccessToken: false,
    issueRegistrationAccessToken: true,
    idFactory: newDynamicClientId,
    secretFactory: () => mintCredential('clientSecret'),
  },
  registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch, allowClient, cacheDuration },
  // Keys sign by themselves (lib/edges/oauth/engine/create-provider).
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
  // RFC 9101, by value: the only reference there is comes from a pushed request.
  requestObjects: { enabled: true, assertJwtClaimsAndHeader: assertRequestObject },
  fapi: { enabled: true, profile: (_ctx, client) => (isHighSecurity(client) ? '2.0' : undefined) },
  // RFC 9126
  pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayAskAbout(client, token) },
  introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => mayAskAbout(client, token) },
  rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
  backchannelLogout: { enabled: true },
  // RFC 9449
  dPoP: { enabled: true, nonceSecret: derivedKey('dpop-nonce'), requireNonce: () => false },
  // RFC 8707
  resourceIndicators: {
    enabled: true,
    getResourceServerInfo: resourceServerInfo,
    defaultResource,
    useGrantedResource: async () => false,
  },
})

const asksForItself = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.params?.grant_type === clientCredentialsGrant

/**
 * What a resource allows (RFC 8707). An app that asks for itself names one of its installations, and gets no more than that
 * has; without a scope (RFC 6749 section 3.3) it gets all of it. Where it names the API instead, its token reaches no
 * workspace and tells of its installations alone.
 * See ADR 0026.
 * @throws errors.InvalidTarget for a resource of somebody else, and for an installation that is none of the app's now
 * @throws errors.InvalidScope where the installation has nothing of what is asked for
 */
async function resourceServerInfo(ctx: KoaContextWithOIDC, resource: string): Promise<ResourceServer> {
  if (!asksForItself(ctx)) return resourceServer(resource)
  const id = installationNamed(resource)
  if (id === undefined) return { ...resourceServer(resource), scope: '' }
  const { client, params } = ctx.oidc
  const installation = client && (await findInstallation(id, client.clientId))
  if (!installation) {
    throw new errors.InvalidTarget(
      'this is no installation of the app: it was uninstalled or suspended, the workspace keeps the app out, or it never was',
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

/** The resource of a request that names none, or several: an app that asks for itself asks about itself. */
const defaultResource = async (
  ctx: KoaContextWithOIDC,
  _client: unknown,
  oneOf?: readonly string[],
): Promise<string | undefined> =>
  oneOf?.[0] ?? (asksForItself(ctx) ? `${config().BASE_URL}/graphql/v2` : undefined)

/** What the metadata says beyond what the engine derives from its configuration (RFC 8414 section 2, RFC 9728 section 4). */
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
 * The engine's cookies, signed with the first key and read with all of them, so that every replica reads them. The interaction's
 * cookie is bound to the path of its page: two tabs do not meet.
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

/** The origin a page of a URI has; on loopback the port does not matter, because clients choose it when they start. */
function comparable(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  return isLoopbackHost(url.hostname) ? `${url.protocol}//${url.hostname}` : url.origin
}

/**
 * Which pages may read a client's answers: at /oauth/me any, because the token is the permission; elsewhere those of a
 * public client's own redirect origins. A confidential client has no business in a browser, and `null` is nobody.
 */
export function clientBasedCORS(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === 'null') return false
  if (ctx.oidc.route === 'userinfo') return true
  if (client.clientAuthMethod !== 'none') return false
  const wanted = comparable(origin)
  return wanted !== undefined && (client.redirectUris ?? []).some((uri) => comparable(uri) === wanted)
}

/**
 * PKCE (RFC 7636) is required of every client without a secret; S256 is the only method. To those with one, self-registered
 * ones included, it is optional and recommended (docs/api/contract.md, section 4): their codes are of no use without the secret.
 */
export const pkce = {
  required: (_ctx: KoaContextWithOIDC, client: Client): boolean =>
    client.tokenEndpointAuthMethod === 'none' || isHighSecurity(client),
}

/**
 * Whether a refresh replaces the refresh token. A public client cannot prove that it is itself, so its token is good once
 * (RFC 9700 section 2.2.2); a confidential client's is replaced when most of its life has passed, with high security never
 * (FAPI 2.0 Security Profile section 5.3.2.1).
 */
export function rotateRefreshToken(ctx: KoaContextWithOIDC): boolean {
  const token = ctx.oidc.entities.RefreshToken
  if (isHighSecurity(ctx.oidc.client)) return false
  return ctx.oidc.client?.clientAuthMethod === 'none' || (token?.ttlPercentagePassed() ?? 100) >= 70
}

/** A refresh token comes with `offline_access` alone, which counts only together with `prompt=consent`. */
export const issueRefreshToken = async (
  _ctx: KoaContextWithOIDC,
  client: Client,
  source: { scopes: Set<string> },
): Promise<boolean> => client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access')

const arriving = new Set(['registration', 'client_update'])

/**
 * Metadata beyond what the engine knows, kept as registered (RFC 7591 section 2). Naming any is also what makes the
 * engine call `validator`, before its own checks: there a registration is put right.
 * See ADR 0010.
 */
export const extraClientMetadata = {
  properties: ['software_id', 'software_version', 'high_security'],
  validator(ctx: KoaContextWithOIDC | undefined, name: string, _value: unknown, metadata: object): void {
    if (name !== 'software_id') return
    const client = metadata as Metadata
    if (clientSource(String(client.client_id)) === 'METADATA_DOCUMENT') normaliseDocument(client)
    else if (ctx?.oidc && arriving.has(ctx.oidc.route)) normaliseMetadata(client)
    implyHighSecurity(client)
  },
}

/**
 * Takes the scopes out of a request that its app may not ask for, as the engine takes out those that nobody knows. The engine has
 * a bound of its own (`scope` of RFC 7591 section 2), which refuses the whole request.
 * See ADR 0023.
 */
async function dropScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const { client } = ctx.oidc
  if (!client) return
  const { clientId } = client
  dropBeyond(ctx, allowedTo(clientId, (await findClientRow(clientId))?.allowedScopes))
}

/** The same where it has been read what the app may ask for. */
export function dropBeyond({ oidc: { params } }: KoaContextWithOIDC, allowed: readonly string[]): void {
  if (allowed.length === 0 || typeof params?.scope !== 'string') return
  params.scope = askable(params.scope.split(' '), allowed).join(' ') || undefined
}

/**
 * The authorization endpoint requires `scope`, and `openid` in it (docs/api/contract.md, section 4). A device asks for whatever it needs.
 * What the app may not ask for is dropped.
 * @throws errors.InvalidRequest without a scope (RFC 6749 section 4.1.2.1), errors.InvalidScope without `openid`, or where
 *   commas separate the scopes, which would be taken for one that nobody knows
 */
export async function requireOpenid(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const commas = commasInScope(ctx)
  if (commas) throw new errors.InvalidScope(commas, scope ?? '')
  if (ctx.oidc.route === 'device_authorization') return dropScopes(ctx)
  if (!scope) throw new errors.InvalidRequest("missing required parameter(s) 'scope'")
  if (!scope.split(' ').includes('openid')) {
    throw new errors.InvalidScope('scope must contain openid', scope)
  }
  await dropScopes(ctx)
}

/** What to say of a request that separates scopes by commas; undefined for any other. */
export function commasInScope(ctx: KoaContextWithOIDC): string | undefined {
  const sent = (ctx.method === 'POST' ? ctx.oidc.body : ctx.query)?.scope
  const pieces = typeof sent === 'string' ? sent.split(' ').filter((piece) => piece.includes(',')) : []
  const known = pieces.flatMap((piece) => piece.split(',')).some(isScope)
  return known ? 'scopes are separated by spaces, not commas' : undefined
}

/**
 * Reads over stray spaces in the `scope` of any request: in front, behind, or several together. RFC 6749 section 3.3 has
 * one between two scopes, and the engine ends the request over any other, but agents send them.
 */
export function readOverStraySpaces(provider: Provider): void {
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
