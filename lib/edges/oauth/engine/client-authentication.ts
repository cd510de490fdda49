import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { findMatch } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { gather } from '@/lib/base/process/tally'
import { sentCredentials } from '../protocol/routes'
import { clockToleranceFor, isHighSecurity, refusesAlg } from '../protocol/security-profile'
import { currentUnit } from '../store/request-unit'
import { loadSnapshot, type Snapshot } from '../store/snapshot'

/** How clients authenticate where they must (RFC 7591 section 2). Not `client_secret_jwt`, which needs the plain secret. See ADR 0012. */
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
 * Checks of a client assertion (RFC 7523 section 3) what oidc-provider does not: it ends within an hour, so that its ID need
 * not be remembered indefinitely, is not from the future, and demands no extension (`b64` is forbidden in JWTs by RFC 7797
 * section 7). From an app with high security, it names the issuer as its only audience and is signed by a modern algorithm
 * (FAPI 2.0 Security Profile sections 5.3.2.1 and 5.4).
 * @throws errors.InvalidClientAuth
 */
export function assertAssertion(
  ctx: KoaContextWithOIDC,
  claims: Claims,
  header: Header,
  client: Client,
): void {
  const refuse = (reason: string): never => {
    throw new errors.InvalidClientAuth(reason)
  }
  if (Number(claims.exp) > now() + hour + clockToleranceFor(client))
    refuse('the client assertion lives longer than an hour')
  if (isAhead(claims, client)) refuse('the client assertion was issued in the future')
  if (isOver(claims, client)) refuse('the client assertion has expired')
  if (header.crit !== undefined) refuse('the client assertion must not contain crit')
  if (!isHighSecurity(client)) return
  if (claims.aud !== ctx.oidc.issuer) refuse('audience (aud) must be the issuer identifier, as a string')
  if (refusesAlg(header.alg)) refuse(`${header.alg} is not accepted from this client`)
}

/**
 * What is asked of a request object (RFC 9101) beyond what the engine asks: that it comes from no future, and from an app
 * with high security that it is bounded in time (FAPI 2.0 Message Signing section 5.3.1) and signed by a modern algorithm.
 * @throws errors.InvalidRequestObject
 */
export function assertRequestObject(
  ctx: KoaContextWithOIDC,
  claims: Claims,
  header: Header,
  client: Client,
): void {
  const refuse = (reason: string): never => {
    throw new errors.InvalidRequestObject(reason)
  }
  // What was pushed has been checked then, perhaps by another replica. Without a request object it is kept in the form of
  // one, which is unsigned.
  if (ctx.oidc.entities.PushedAuthorizationRequest) return
  if (isAhead(claims, client)) refuse('the request object was issued in the future')
  if (isOver(claims, client)) refuse('the request object has expired')
  if (header.crit !== undefined) refuse('the request object must not contain crit')
  if (!isHighSecurity(client)) return
  const { exp, nbf } = claims
  if (exp === undefined || nbf === undefined) refuse('the request object must state nbf and exp')
  else if (exp - nbf > hour || nbf < now() - hour) refuse('the request object lives longer than an hour')
  if (refusesAlg(header.alg)) refuse(`${header.alg} is not accepted from this client`)
}

/** Whether it comes from the future, further than clocks may differ. */
const isAhead = ({ iat, nbf }: Claims, client: Client): boolean =>
  [iat, nbf].some((time) => Number(time ?? 0) > now() + clockToleranceFor(client))

/** Whether it has ended, where the engine, which has one tolerance for all, would still take it. */
const isOver = ({ exp }: Claims, client: Client): boolean =>
  exp !== undefined && exp <= now() - clockToleranceFor(client)

/**
 * Teaches the engine to check client secrets that are stored as hashes, several of them live at once (RFC 6749 2.3.1).
 */
export function applyHashedSecrets(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    async compareClientSecret(this: { clientId: string }, presented: string): Promise<boolean> {
      const unit = currentUnit()
      const { secrets } = (await unit?.prime(this.clientId)) ?? (await loadSnapshot(this.clientId, null))
      return isOneOf(secrets, presented)
    },
  })
}

/** Whether a client secret is one of those stored, and notes its use. */
export function isOneOf(secrets: Snapshot['secrets'], presented: string): boolean {
  const match = findMatch(secrets, presented)
  if (match) noteSecretUse(match.id)
  return match !== undefined
}

const noteUse = statement<never, [ids: string[], usedAt: Date[]]>(
  'note-client-secret-use',
  `UPDATE oauth_client_secrets s SET last_used_at = GREATEST(s.last_used_at, n.used_at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS n(id, used_at) WHERE s.id = n.id`,
)

/** When each client secret was last used. */
const used = gather<Date>('use of client secrets', {
  afterMs: 5_000,
  merge: (_earlier, later) => later,
  write: async (gathered) => {
    await noteUse([...gathered.keys()], [...gathered.values()])
  },
})

/** Notes that a client secret was used. @param id the row of `oauth_client_secrets` */
const noteSecretUse = (id: string): void => used.add(id, new Date())

/**
 * A pushed authorization request and a device's first request need a client_id alone (docs/api/contract.md, sections 8 and 9, ask for no
 * authentication), so a confidential client that sends no credentials counts as a public one at these endpoints. Neither
 * gives anything but a place to wait for the person; the tokens are given to whoever authenticates. An app may demand that
 * pushed requests are authenticated, and one that has a key proves itself everywhere. Credentials that are sent are checked
 * as everywhere.
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
