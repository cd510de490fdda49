import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { findMatchingCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { collect } from '@/lib/base/process/tally'
import { sentCredentials } from '../protocol/routes'
import { clockToleranceFor, isHighSecurity, refusesAlg } from '../protocol/security-profile'
import { currentUnit } from '../store/request-unit'
import { loadSnapshot, type Snapshot } from '../store/snapshot'

/**
 * The authentication methods for clients (RFC 7591 section 2). `client_secret_jwt` is excluded, because it
 * needs the plaintext secret. See ADR 0008.
 */
export const clientAuthMethods: (
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'none'
)[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']

type Claims = { aud?: unknown; exp?: number; iat?: number; nbf?: number }
type Header = { alg?: string; crit?: unknown }

const hour = 3600

const now = () => Math.floor(Date.now() / 1000)

/**
 * Performs the checks of a client assertion that oidc-provider omits (RFC 7523 section 3). The assertion must
 * expire within an hour, so that its ID is not stored indefinitely. The assertion is rejected if it has
 * expired, has an issue or start time in the future, or requires an extension (RFC 7797 section 7 forbids
 * `b64` in JWTs). The clock tolerance applies to all these times. For a high-security app, the audience must
 * be the issuer, as a string, and the assertion must be signed with a modern algorithm (FAPI 2.0 Security
 * Profile sections 5.3.2.1 and 5.4).
 * @throws errors.InvalidClientAuth
 */
export function checkAssertion(
  ctx: KoaContextWithOIDC,
  claims: Claims,
  header: Header,
  client: Client,
): void {
  const refuse = (reason: string): never => {
    throw new errors.InvalidClientAuth(reason)
  }
  if (Number(claims.exp) > now() + hour + clockToleranceFor(client))
    refuse('the client assertion is valid for longer than an hour')
  if (isAhead(claims, client)) refuse('the client assertion was issued in the future')
  if (isOver(claims, client)) refuse('the client assertion has expired')
  if (header.crit !== undefined) refuse('the client assertion must not contain crit')
  if (!isHighSecurity(client)) return
  if (claims.aud !== ctx.oidc.issuer) refuse('audience (aud) must be the issuer identifier, as a string')
  if (refusesAlg(header.alg)) refuse(`${header.alg} is not accepted from this client`)
}

/**
 * Performs the checks of a request object that oidc-provider omits (RFC 9101). The object is rejected if it
 * has expired, has an issue or start time in the future, or requires an extension. For a high-security app,
 * the object must contain a start time in the last hour, must expire within an hour of the start time (FAPI
 * 2.0 Message Signing section 5.3.1), and must be signed with a modern algorithm. A request that was pushed
 * is not checked again.
 * @throws errors.InvalidRequestObject
 */
export function checkRequestObject(
  ctx: KoaContextWithOIDC,
  claims: Claims,
  header: Header,
  client: Client,
): void {
  const refuse = (reason: string): never => {
    throw new errors.InvalidRequestObject(reason)
  }
  // Skip a pushed request, because it was checked when it was pushed. If it had no request object, the object
  // here is unsigned: oidc-provider created it to store the parameters.
  if (ctx.oidc.entities.PushedAuthorizationRequest) return
  if (isAhead(claims, client)) refuse('the request object was issued in the future')
  if (isOver(claims, client)) refuse('the request object has expired')
  if (header.crit !== undefined) refuse('the request object must not contain crit')
  if (!isHighSecurity(client)) return
  const { exp, nbf } = claims
  if (exp === undefined || nbf === undefined) refuse('the request object must contain nbf and exp')
  else if (exp - nbf > hour || nbf < now() - hour)
    refuse('the request object is valid for longer than an hour')
  if (refusesAlg(header.alg)) refuse(`${header.alg} is not accepted from this client`)
}

/** Returns whether the claims have an issue or start time in the future, beyond the clock tolerance. */
const isAhead = ({ iat, nbf }: Claims, client: Client): boolean =>
  [iat, nbf].some((time) => Number(time ?? 0) > now() + clockToleranceFor(client))

/**
 * Returns whether the claims have expired, with the clock tolerance for this client. Claims without `exp`
 * never expire. The check of oidc-provider uses one tolerance for all clients.
 */
const isOver = ({ exp }: Claims, client: Client): boolean =>
  exp !== undefined && exp <= now() - clockToleranceFor(client)

/**
 * Makes oidc-provider compare client secrets with stored hashes. An app can have several valid secrets (RFC
 * 6749 section 2.3.1).
 */
export function applyHashedSecrets(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    async compareClientSecret(this: { clientId: string }, presented: string): Promise<boolean> {
      const unit = currentUnit()
      const { secrets } = (await unit?.prime(this.clientId)) ?? (await loadSnapshot(this.clientId, null))
      return matchesStoredSecret(secrets, presented)
    },
  })
}

/** Returns whether a client secret matches a stored secret, and records the use of the stored secret. */
export function matchesStoredSecret(secrets: Snapshot['secrets'], presented: string): boolean {
  const match = findMatchingCredential(secrets, presented)
  if (match) noteSecretUse(match.id)
  return match !== undefined
}

const noteUse = statement<never, [ids: string[], usedAt: Date[]]>(
  'note-client-secret-use',
  `UPDATE oauth_client_secrets s SET last_used_at = GREATEST(s.last_used_at, n.used_at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS n(id, used_at) WHERE s.id = n.id`,
)

/**
 * The times when client secrets were last used. They are collected for up to five seconds and then written
 * together.
 */
const used = collect<Date>('use of client secrets', {
  afterMs: 5_000,
  merge: (_earlier, later) => later,
  write: async (gathered) => {
    await noteUse([...gathered.keys()], [...gathered.values()])
  },
})

/** Records that a client secret was used. @param id the ID in `oauth_client_secrets` */
const noteSecretUse = (id: string): void => used.add(id, new Date())

/**
 * Makes oidc-provider accept pushed authorization requests and device authorization requests with only a
 * client_id (docs/api/contract.md, sections 8 and 9). Neither kind of request returns a token, and the token
 * request still requires authentication. A client must still authenticate, as at the token endpoint, if it
 * sends credentials, uses `private_key_jwt`, or pushes a request after registering
 * `require_pushed_authorization_requests`.
 */
export function allowClientIdAlone(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'clientAuthMethod', {
    configurable: true,
    get(this: Subject) {
      return clientIdSuffices(this) ? 'none' : this.tokenEndpointAuthMethod
    },
  })
}

type Subject = { tokenEndpointAuthMethod: string; requirePushedAuthorizationRequests?: boolean }

function clientIdSuffices(client: Subject): boolean {
  if (client.tokenEndpointAuthMethod === 'private_key_jwt') return false
  const ctx = Provider.ctx
  const route = ctx?.oidc.route
  const pushes = route === 'pushed_authorization_request' && !client.requirePushedAuthorizationRequests
  if (!ctx || (!pushes && route !== 'device_authorization')) return false
  return !sentCredentials(ctx)
}
