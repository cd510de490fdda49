import { hash, timingSafeEqual } from 'node:crypto'
import { claimsOfScopes, pickClaims } from '../config/account'
import { endOfRefreshToken, lifetimes, refreshTokenSeconds } from '../config/lifetimes'
import { actingClient } from '../store/find-client-row'
import { type ArtifactRow, type AuthorizationRow, isCutOff, type Snapshot } from '../store/snapshot'
import { allowsGrant, idTokenAlg, isPlainClient } from './plain-client'
import type { PlainForm } from './plain-form'

/** What the engine keeps with a code or refresh token, as far as a plain one has it. */
type Source = {
  iat: number
  exp: number
  accountId: string
  clientId: string
  scope: string
  gty?: string
  nonce?: string
  sid?: string
  amr?: string[]
  iiat?: number
  rotations?: number
  redirectUri?: string
  codeChallenge?: string
  codeChallengeMethod?: string
}

/** What a plain token request gets. */
export type Issue = {
  artifact: ArtifactRow
  authorization: AuthorizationRow
  scope: string
  accessToken: Record<string, unknown>
  /** Absent where no refresh token was asked for. */
  refreshToken: Record<string, unknown> | undefined
  /** What the id_token says besides when, by whom and for whom it was made. */
  idToken: Record<string, unknown>
  idTokenAlg: string
}

/** What a plain token may say. A key it is bound to, a resource, claims by name: all of that is the engine's. */
const common = ['iat', 'exp', 'accountId', 'clientId', 'scope', 'nonce', 'sid', 'acr', 'amr', 'authTime']
const inherited = ['expiresWithSession', 'sessionUid', 'claims']
const sayable = {
  RefreshToken: new Set([...common, ...inherited, 'gty', 'iiat', 'rotations']),
  AuthorizationCode: new Set([
    ...common,
    ...inherited,
    'redirectUri',
    'codeChallenge',
    'codeChallengeMethod',
  ]),
}

/**
 * Decides what a plain request gets from what is stored: the rules of RFC 6749 sections 4.1.3 and 6 and RFC 7636 section
 * 4.6 for a request that keeps all of them. It never refuses.
 * @param now seconds since 1970
 * @returns undefined unless everything is in order; then the engine answers, from the same snapshot
 */
export function decideTokens(form: PlainForm, snapshot: Snapshot, now: number): Issue | undefined {
  const { artifact, authorization, person } = snapshot
  const client = actingClient(snapshot, form.clientId, 'token')
  if (!client || !artifact || !authorization || !person || isCutOff(snapshot)) return undefined
  const model = form.redemption ? 'AuthorizationCode' : 'RefreshToken'
  const grantType = form.redemption ? 'authorization_code' : 'refresh_token'
  if (client.id !== form.clientId || !isPlainClient(client) || !allowsGrant(client, grantType))
    return undefined
  if (artifact.model !== model || artifact.consumedAt || artifact.authorizationId !== authorization.id) {
    return undefined
  }
  const source = artifact.payload as Source & Record<string, unknown>
  if (!isPlainSource(source, sayable[model], now)) return undefined
  if (!form.redemption && endOfRefreshToken(source) <= now) return undefined
  if (source.clientId !== client.id || authorization.clientId !== client.id) return undefined
  if (source.accountId !== person.id || authorization.userId !== person.id) return undefined
  if (form.redemption && !provesCode(form.redemption, source)) return undefined

  const scopes = source.scope.split(' ')
  if (!scopes.includes('openid')) return undefined
  const refreshes =
    !form.redemption || (scopes.includes('offline_access') && allowsGrant(client, 'refresh_token'))
  const told = form.redemption ? claimsOfScopes(scopes) : ['sub']
  return {
    artifact,
    authorization,
    scope: source.scope,
    ...(form.redemption ? fromCode(source, now) : fromRefreshToken(source, now)),
    ...(refreshes ? {} : { refreshToken: undefined }),
    idToken: { ...pickClaims(person, told), nonce: source.nonce, sid: source.sid },
    idTokenAlg: idTokenAlg(client),
  }
}

function isPlainSource(source: Source & Record<string, unknown>, names: Set<string>, now: number): boolean {
  const { iat, exp, scope, claims, expiresWithSession } = source
  return (
    Object.keys(source).every((name) => names.has(name)) &&
    typeof iat === 'number' &&
    iat <= now &&
    typeof exp === 'number' &&
    exp > now &&
    typeof scope === 'string' &&
    !expiresWithSession &&
    (claims === undefined || (isObject(claims) && Object.keys(claims).length === 0))
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const verifierForm = /^[\w.\-~]{43,128}$/

/** Whether the request comes from where the code was asked for (RFC 7636), and names the address it was sent to. */
function provesCode(shown: { redirectUri: string; verifier: string }, code: Source): boolean {
  if (code.codeChallengeMethod !== 'S256' || !code.codeChallenge || !verifierForm.test(shown.verifier)) {
    return false
  }
  const made = Buffer.from(hash('sha256', shown.verifier, 'base64url'))
  const kept = Buffer.from(code.codeChallenge)
  return made.length === kept.length && timingSafeEqual(made, kept) && code.redirectUri === shown.redirectUri
}

type Tokens = Pick<Issue, 'accessToken' | 'refreshToken'>

function fromCode(code: Source & Record<string, unknown>, now: number): Tokens {
  const gty = 'authorization_code'
  return {
    accessToken: accessTokenOf(code, gty, now),
    refreshToken: refreshTokenOf(code, { gty, rotations: 0, iiat: now }, now),
  }
}

function fromRefreshToken(token: Source & Record<string, unknown>, now: number): Tokens {
  const ends = token.gty?.endsWith('refresh_token')
  const gty = token.gty && !ends ? `${token.gty} refresh_token` : token.gty
  const rotations = typeof token.rotations === 'number' ? token.rotations + 1 : 1
  return {
    accessToken: accessTokenOf(token, gty, now),
    refreshToken: refreshTokenOf(token, { gty, rotations, iiat: token.iiat ?? token.iat }, now),
  }
}

const accessTokenOf = (source: Source & Record<string, unknown>, gty: string | undefined, now: number) => ({
  iat: now,
  exp: now + lifetimes.AccessToken,
  accountId: source.accountId,
  clientId: source.clientId,
  expiresWithSession: source.expiresWithSession,
  sessionUid: source.sessionUid,
  sid: source.sid,
  claims: source.claims,
  gty,
  scope: source.scope,
  amr: source.amr,
})

function refreshTokenOf(
  { redirectUri, codeChallenge, codeChallengeMethod, ...kept }: Source & Record<string, unknown>,
  own: { gty: string | undefined; rotations: number; iiat: number },
  now: number,
) {
  return { ...kept, ...own, iat: now, exp: now + refreshTokenSeconds({ iat: now, iiat: own.iiat }) }
}
