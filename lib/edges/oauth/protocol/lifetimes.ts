import type { Client } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { sessionSeconds } from '@/lib/features/identity/sessions/find-live-session'
import { isHighSecurity } from './high-security'

const hour = 3600
const day = 24 * hour

/** How long things live, in seconds (docs/contract.md, section 12; decision 080). A grant has no end: it is the person's authorization. */
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

const endOfLine = ({ iat, iiat }: Issued) => (iiat ?? iat) + config().REFRESH_TOKEN_DAYS * day

/**
 * How long a refresh token that is issued now lives: a year from its last use, but no longer than the line it belongs to,
 * which ends some time after the person allowed it (ASVS 5.0, 10.4.8).
 */
const refreshTokenSeconds = (issued: Issued): number =>
  Math.max(1, Math.min(config().REFRESH_TOKEN_IDLE_DAYS * day, endOfLine(issued) - issued.iat))

/** When a stored refresh token ends: as it was issued, or sooner where the settings have become stricter since. */
export const endOfRefreshToken = (token: Issued & { exp: number }): number =>
  Math.min(token.exp, token.iat + config().REFRESH_TOKEN_IDLE_DAYS * day, endOfLine(token))

/** How long tokens of an app with high security live at most. Its refresh tokens are not replaced (config/refresh). */
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
 * See decision 110.
 */
export const clockTolerance = 300

/** The same for what a client has dated: FAPI 2.0 Security Profile section 5.3.2.1 has a minute. */
export const clockToleranceFor = (client: Client): number => (isHighSecurity(client) ? 60 : clockTolerance)
