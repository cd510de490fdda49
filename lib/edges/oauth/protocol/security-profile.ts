import { type Client, errors } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { highSecurityProblem } from '@/lib/features/apps/app-metadata'
import { sessionSeconds } from '@/lib/features/identity/sessions/session-cookie'
import { deviceGrant } from './routes'

const hour = 3600
const day = 24 * hour

/** How long things live, in seconds (docs/api/contract.md, section 12; ADR 0009). A grant has no end: it is the person's authorization. */
export const lifetimes = {
  AuthorizationCode: 60,
  AccessToken: hour,
  IdToken: hour,
  DeviceCode: 600,
  Interaction: hour,
  Grant: 100 * 365 * day,
}

/** When a refresh token was issued, and the first of its line: those that came of one another by rotation. */
type Issued = { iat: number; iiat?: number | undefined }

/** How long refresh tokens of one line work after the user authorized the app (ASVS 5.0, 10.4.8), in seconds. */
const lineSeconds = () => config().refreshTokenDays * day

/** How long a refresh token works without being used, in seconds. */
const idleSeconds = () => lineSeconds() / 2

const endOfLine = ({ iat, iiat }: Issued) => (iiat ?? iat) + lineSeconds()

/** Returns how long a refresh token that is issued now works, in seconds: until it is not used, or its line ends. */
const refreshTokenSeconds = (issued: Issued): number =>
  Math.max(1, Math.min(idleSeconds(), endOfLine(issued) - issued.iat))

/** When a stored refresh token ends: as it was issued, or sooner where the settings have become stricter since. */
export const endOfRefreshToken = (token: Issued & { exp: number }): number =>
  Math.min(token.exp, token.iat + idleSeconds(), endOfLine(token))

/** How long tokens of an app with high security live at most. Its refresh tokens are not replaced (`rotateRefreshToken`). */
const short = { AccessToken: 600, RefreshToken: 90 * day }

/** The lifetimes as the engine asks for them. */
export const ttl = () => ({
  ...lifetimes,
  // Without a user it only holds a sign-out that waits for its confirmation, and anyone can have one stored.
  Session: (_ctx: unknown, { accountId }: { accountId?: string }) => (accountId ? sessionSeconds() : hour),
  AccessToken: (_ctx: unknown, _token: unknown, client: Client) =>
    isHighSecurity(client) ? short.AccessToken : lifetimes.AccessToken,
  ClientCredentials: (_ctx: unknown, _token: unknown, client: Client) =>
    isHighSecurity(client) ? short.AccessToken : lifetimes.AccessToken,
  RefreshToken: (_ctx: unknown, { iiat }: { iiat?: number }, client: Client) => {
    const seconds = refreshTokenSeconds({ iat: Math.floor(Date.now() / 1000), iiat })
    return isHighSecurity(client) ? Math.min(seconds, short.RefreshToken) : seconds
  },
})

/**
 * By how many seconds the clocks of clients, of replicas and of the database may differ. What lives for seconds here is
 * judged by the database's clock alone (store/artifacts), so this makes no code live longer; it is for what others have
 * dated, such as a client's assertion (RFC 7519 section 4.1.4: a few minutes at most).
 * See ADR 0046.
 */
export const clockTolerance = 300

/** The same for what a client has dated: FAPI 2.0 Security Profile section 5.3.2.1 has a minute. */
export const clockToleranceFor = (client: Client): number => (isHighSecurity(client) ? 60 : clockTolerance)

/** Whether an app asked to be held to the FAPI 2.0 Security Profile: client metadata `high_security`. See ADR 0012. */
export const isHighSecurity = (client: Client | undefined): boolean =>
  (client as { high_security?: boolean } | undefined)?.high_security === true

/** RSA with PKCS #1 v1.5 padding is left out of the profile (FAPI 2.0 Security Profile section 5.4.1). */
export const refusesAlg = (alg: unknown): boolean => alg === 'RS256'

/**
 * Makes a client's metadata say what high security means, wherever the client comes from and whenever it is loaded: the
 * engine then holds it to each of its parts.
 * @throws errors.InvalidClientMetadata where the rest of the metadata stands against it
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
      throw new errors.InvalidClientMetadata(`high_security: ${name} must be PS256, ES256 or EdDSA`)
    }
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg']) {
    if (refusesAlg(metadata[name])) metadata[name] = 'ES256'
  }
  metadata.require_pushed_authorization_requests = true
  metadata.dpop_bound_access_tokens = true
  metadata.grant_types = (metadata.grant_types as string[]).filter((grant) => grant !== deviceGrant)
}
