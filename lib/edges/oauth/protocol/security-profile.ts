import { type Client, errors } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { highSecurityProblem } from '@/lib/features/apps/app-metadata'
import { sessionSeconds } from '@/lib/features/identity/sessions/session-cookie'
import { deviceGrant } from './routes'

const hour = 3600
const day = 24 * hour

/**
 * The default lifetimes of oidc-provider's codes, tokens, and other artifacts, in seconds
 * (docs/api/contract.md, section 12; ADR 0007). A grant is valid for 100 years, because it represents the
 * user's authorization, which does not expire.
 */
export const lifetimes = {
  AuthorizationCode: 60,
  AccessToken: hour,
  IdToken: hour,
  DeviceCode: 600,
  Interaction: hour,
  Grant: 100 * 365 * day,
}

/** The issue times of a refresh token (`iat`) and of the first token in its rotation chain (`iiat`). */
type Issued = { iat: number; iiat?: number | undefined }

/**
 * Returns the number of seconds for which a rotation chain of refresh tokens works, from the issue time of
 * its first token (ASVS 5.0, 10.4.8).
 */
const lineSeconds = () => config().refreshTokenDays * day

/** Returns the maximum number of seconds for which each refresh token of a rotation chain works. */
const idleSeconds = () => lineSeconds() / 2

const endOfLine = ({ iat, iiat }: Issued) => (iiat ?? iat) + lineSeconds()

/**
 * Returns the number of seconds for which a new refresh token works, which is at least 1. The token expires
 * after `idleSeconds`, or at the end of its rotation chain if the chain ends earlier.
 */
const refreshTokenSeconds = (issued: Issued): number =>
  Math.max(1, Math.min(idleSeconds(), endOfLine(issued) - issued.iat))

/**
 * Returns when a stored refresh token expires: at the time set when it was issued, or earlier if the settings
 * are stricter now.
 */
export const endOfRefreshToken = (token: Issued & { exp: number }): number =>
  Math.min(token.exp, token.iat + idleSeconds(), endOfLine(token))

/**
 * The maximum token lifetimes of a high-security app, in seconds. The app's refresh tokens do not rotate
 * (`rotateRefreshToken`), so the app needs a new sign-in when its refresh token expires.
 */
const short = { AccessToken: 600, RefreshToken: 90 * day }

/** A token and its resource, if any. The resource can set the token's lifetime. */
type ForResource = { resourceServer?: { accessTokenTTL?: number | undefined } | undefined }

/** Returns the lifetimes in the form that oidc-provider requires. */
export const ttl = () => ({
  ...lifetimes,
  // A session without a user exists only for a sign-out that waits for confirmation. Its lifetime is short,
  // because anyone can create such a session.
  Session: (_ctx: unknown, { accountId }: { accountId?: string }) => (accountId ? sessionSeconds() : hour),
  AccessToken: (_ctx: unknown, { resourceServer }: ForResource, client: Client) => {
    const seconds = resourceServer?.accessTokenTTL ?? lifetimes.AccessToken
    return isHighSecurity(client) ? Math.min(seconds, short.AccessToken) : seconds
  },
  ClientCredentials: (_ctx: unknown, _token: unknown, client: Client) =>
    isHighSecurity(client) ? short.AccessToken : lifetimes.AccessToken,
  RefreshToken: (_ctx: unknown, { iiat }: { iiat?: number }, client: Client) => {
    const seconds = refreshTokenSeconds({ iat: Math.floor(Date.now() / 1000), iiat })
    return isHighSecurity(client) ? Math.min(seconds, short.RefreshToken) : seconds
  },
})

/**
 * The maximum accepted difference between the clocks of clients, replicas, and the database, in seconds. It
 * applies to times that another clock set, such as those in a client assertion (RFC 7519 section 4.1.4: a few
 * minutes at most). It does not extend the lifetime of codes, because only the database's clock decides when
 * codes expire (store/artifacts). See ADR 0036.
 */
export const clockTolerance = 300

/**
 * Returns the tolerance, in seconds, for times that a client sets. For high-security apps, the tolerance is
 * one minute (FAPI 2.0 Security Profile section 5.3.2.1).
 */
export const clockToleranceFor = (client: Client): number => (isHighSecurity(client) ? 60 : clockTolerance)

/**
 * Returns whether an app uses the FAPI 2.0 Security Profile, as set by the client metadata `high_security`.
 * See ADR 0008.
 */
export const isHighSecurity = (client: Client | undefined): boolean =>
  (client as { high_security?: boolean } | undefined)?.high_security === true

/**
 * Returns whether an algorithm is forbidden for high-security apps because it uses RSA with PKCS #1 v1.5
 * padding (FAPI 2.0 Security Profile section 5.4.1).
 */
export const refusesAlg = (alg: unknown): boolean => alg === 'RS256'

/**
 * If `high_security` is true, sets the metadata that it implies, which oidc-provider then enforces: pushed
 * authorization requests, DPoP-bound tokens, no device grant, and no signatures with RS256. Called whenever
 * oidc-provider validates a client's metadata.
 * @throws errors.InvalidClientMetadata if `high_security` is not a boolean, or if other metadata conflicts
 * with it
 */
export function implyHighSecurity(metadata: Record<string, unknown>): void {
  const { high_security: wanted } = metadata
  if (wanted === undefined || wanted === false) return
  if (wanted !== true) throw new errors.InvalidClientMetadata('high_security must be a boolean')
  const problem = highSecurityProblem({
    authMethod: metadata.token_endpoint_auth_method,
    redirectUris: Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [],
  })
  if (problem) throw new errors.InvalidClientMetadata(`high_security: ${problem.message}`)
  for (const name of ['token_endpoint_auth_signing_alg', 'request_object_signing_alg']) {
    if (refusesAlg(metadata[name])) {
      throw new errors.InvalidClientMetadata(`high_security: ${name} must be PS256, ES256, or EdDSA`)
    }
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg']) {
    if (refusesAlg(metadata[name])) metadata[name] = 'ES256'
  }
  metadata.require_pushed_authorization_requests = true
  metadata.dpop_bound_access_tokens = true
  metadata.grant_types = (metadata.grant_types as string[]).filter((grant) => grant !== deviceGrant)
}
