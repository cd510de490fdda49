import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import {
  type AccessToken,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { authorizationDetails, boundedDetails } from '@/lib/features/apps/authorizations/api-grants'
import type { PrivateJwk } from '@/lib/features/keys/signing-keys'
import { type Api, findApi } from '@/lib/features/resources/apis'
import { isScope } from '@/lib/policy/scopes'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import { issuer, resourceIdentifiers } from '../protocol/routes'
import { grantedApi } from '../store/api-access'
import type { ActClaim } from '../store/api-tokens'
import { hashHex } from '../store/artifacts'
import { currentUnit } from '../store/request-unit'

/**
 * This module contains oidc-provider's configuration for APIs outside this service (RFC 8707, RFC 9068, RFC
 * 9396). The module queries the database only if a request or a token names a resource outside this service.
 */

/**
 * Returns the API that a resource indicator identifies, or undefined if there is none. If the indicator is
 * not a string or identifies a resource of this service, returns undefined without a query.
 */
export const apiOfResource = async (resource: unknown): Promise<Api | undefined> =>
  typeof resource !== 'string' || resourceIdentifiers().includes(resource) ? undefined : findApi(resource)

/** Converts an API to a resource server of oidc-provider. */
export const apiResourceServer = (api: Api): ResourceServer => ({
  scope: api.scopes.map(({ name }) => name).join(' '),
  audience: api.identifier,
  accessTokenTTL: api.tokenLifetime,
  accessTokenFormat: api.tokenFormat === 'JWT' ? 'jwt' : 'opaque',
  ...(api.tokenFormat === 'JWT' && { jwt: { sign: { alg: api.signingAlgorithm } } }),
})

/**
 * Scopes of this service that a request for an API can include because they concern only the user or the
 * sign-in.
 */
const companions = new Set(['openid', 'email', 'profile', 'offline_access'])

/**
 * If a request names an API, checks that each requested scope belongs to a requested resource or concerns
 * only the user or the sign-in.
 * @throws errors.InvalidScope for any other scope
 */
export async function checkApiScopes({ oidc }: KoaContextWithOIDC): Promise<void> {
  const requested = Object.keys(oidc.resourceServers ?? {})
  const foreign = requested.filter((each) => !resourceIdentifiers().includes(each))
  if (foreign.length === 0) return
  const known = new Set(foreign.flatMap((each) => [...(oidc.resourceServers?.[each]?.scopes ?? [])]))
  const ownToo = foreign.length < requested.length
  const wrong = [...oidc.requestParamScopes].find(
    (scope) => !(known.has(scope) || companions.has(scope) || (ownToo && isScope(scope))),
  )
  if (wrong !== undefined)
    throw new errors.InvalidScope('the requested resource does not have this scope', wrong)
}

/**
 * Requires at least one scope of each requested API. Without such a scope, the API would receive the user's
 * identity without the user's consent. Call this function after removing the scopes that the app is not
 * allowed to request.
 * @throws errors.InvalidScope
 */
export function requireApiScopes({ oidc }: KoaContextWithOIDC): void {
  for (const [name, { scopes }] of Object.entries(oidc.resourceServers ?? {})) {
    if (resourceIdentifiers().includes(name)) continue
    if (![...scopes].some((scope) => oidc.requestParamScopes.has(scope))) {
      throw new errors.InvalidScope(
        `the request contains no scope of ${name} that the app is allowed to request`,
        [...scopes].join(' '),
      )
    }
  }
}

/**
 * Returns whether a token request without `resource` gets a token for the granted resource. This is true only
 * if no resource of this service was granted. If the result is false and `openid` was granted, the token is
 * not limited to a resource, because many libraries omit `resource` (ADR 0008).
 */
export const useGrantedApi = async (_ctx: unknown, { resource }: { resource?: unknown }): Promise<boolean> =>
  [resource].flat().every((each) => typeof each === 'string' && !resourceIdentifiers().includes(each))

type Token = AccessToken & { rar?: unknown; extra?: unknown; act?: ActClaim }

/**
 * Adds `authorization_details` (RFC 9396 section 7) to a token for an API and to the token response. The
 * details contain the user's current roles. They are omitted if no scope of the token needs a selection, and
 * they are not stored. Does nothing for other tokens.
 * @returns the `act` claim, which lists the APIs that exchanged the token; undefined if no API did.
 *   oidc-provider stores the claim with the token
 * @throws errors.InvalidTarget if the user no longer grants the app access to the API
 */
async function addAuthorizationDetails(_ctx: unknown, token: Token): Promise<{ act: ActClaim } | undefined> {
  if (token.kind !== 'AccessToken' || token.aud === undefined) return undefined
  const api = await apiOfResource(token.aud)
  if (!api) return undefined
  const access = token.scope && token.grantId ? await grantedApi(token.grantId, api) : undefined
  if (!access) throw new errors.InvalidTarget('the user no longer grants the app access to this resource')
  const methods = sourceOf()?.amr
  const twoFactor = hasTwoFactors(Array.isArray(methods) ? methods.map(String) : [])
  const details = await authorizationDetails(api, access, String(token.scope).split(' '), twoFactor)
  if (details) token.rar = boundedDetails(details)
  return token.act && { act: token.act }
}

/** Returns the payload of the code or token that this request presents, or undefined if there is none. */
const sourceOf = (): Record<string, unknown> | undefined => currentUnit()?.snapshot?.artifact?.payload

type Structured = { payload: Record<string, unknown> }

/**
 * Completes a JWT access token (RFC 9068 section 2.2) and stores a row for it, so that the token can be
 * introspected and is revoked with its sign-in. The `jti` is the key of that row, not a credential.
 */
async function completeJwt(_ctx: unknown, token: Token, { payload }: Structured): Promise<void> {
  const { authTime, acr } = sourceOf() ?? {}
  Object.assign(payload, {
    jti: hashHex(hashCredential(String(token.jti))),
    authorization_details: token.rar,
    auth_time: authTime,
    acr,
  })
  const { accountId, clientId, scope, aud, gty, grantId, sid, jkt, extra } = token as Token &
    Record<string, unknown>
  const kept = {
    iat: payload.iat,
    exp: payload.exp,
    accountId,
    clientId,
    scope,
    aud,
    gty,
    grantId,
    sid,
    jkt,
    authTime,
    acr,
    extra,
  }
  const { adapter } = token as unknown as {
    adapter: { upsert(id: string, payload: object, ttl: number): Promise<void> }
  }
  await adapter.upsert(String(token.jti), kept, token.expiration)
}

/** The part of the configuration that completes tokens for APIs. */
export const apiTokens = {
  extraTokenClaims: addAuthorizationDetails,
  formats: { customizers: { jwt: completeJwt } },
} as unknown as Pick<Configuration, 'extraTokenClaims' | 'formats'>

/**
 * Returns a JWT for an API, signed with the first key for the API's algorithm. Adds the issuer, the audience,
 * and the issue time to the claims.
 * @param keys the private keys of this service
 * @param typ the `typ` header
 * @throws Error if there is no key for the algorithm
 */
export async function signForApi(
  keys: readonly PrivateJwk[],
  api: Api,
  typ: string,
  claims: JWTPayload,
): Promise<string> {
  const key = keys.find(({ alg }) => alg === api.signingAlgorithm)
  if (!key) throw new Error(`There is no signing key for ${api.signingAlgorithm}.`)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ })
    .setIssuer(issuer())
    .setAudience(api.identifier)
    .setIssuedAt()
    .sign(await importJWK(key as JWK, key.alg))
}
