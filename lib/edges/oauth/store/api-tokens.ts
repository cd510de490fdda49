import { createLocalJWKSet, type JWK, jwtVerify } from 'jose'
import { credentialKind } from '@/lib/base/credentials/tokens'
import type { ApiAccess } from '@/lib/features/apps/authorizations/api-grants'
import type { PrivateJwk } from '@/lib/features/keys/signing-keys'
import { type Api, apiById } from '@/lib/features/resources/apis'
import { issuer } from '../protocol/routes'
import { grantedApi } from './api-access'
import { isExpired } from './artifacts'
import { type ArtifactRow, isCutOff, type Snapshot } from './snapshot'

/**
 * This module reads the credentials that an API presents at an endpoint, and the token that an app sent to
 * the API.
 */

/** Credentials in the format of an API's credentials, not yet verified. */
export type ApiCredentials = { id: string; secret: string; fromHeader: boolean }

/**
 * Returns the credentials of an API in an Authorization header (RFC 6749 section 2.3.1); undefined for other
 * credentials.
 */
export function apiInHeader(header: string | undefined): ApiCredentials | undefined {
  const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1]
  if (basic === undefined) return undefined
  const text = Buffer.from(basic, 'base64').toString()
  const at = text.indexOf(':')
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && credentialKind(secret) === 'apiSecret' ? { id, secret, fromHeader: true } : undefined
}

/** Returns the credentials of an API in a form; undefined for other credentials. */
export const apiInForm = (id: string | undefined, secret: string | undefined): ApiCredentials | undefined =>
  id && secret && credentialKind(secret) === 'apiSecret' ? { id, secret, fromHeader: false } : undefined

/**
 * The API that made the last exchange of a token and, nested, the API that made the exchange before (RFC 8693
 * section 4.1).
 */
export type ActClaim = { sub: string; act?: ActClaim }

/** Returns the IDs of the APIs in an `act` claim, starting with the API that exchanged the token last. */
export const actorsOf = (act: ActClaim | undefined): string[] => (act ? [act.sub, ...actorsOf(act.act)] : [])

/** The stored payload of an access token for an API. */
type ApiTokenPayload = {
  iat: number
  exp: number
  accountId: string
  clientId: string
  scope?: string
  aud?: unknown
  sid?: string
  sessionUid?: string
  jkt?: string
  amr?: string[]
  authTime?: number
  /** Set only for an exchanged token. */
  extra?: { act?: ActClaim }
}

/** An active access token for an API. */
export type ApiToken = {
  artifact: ArtifactRow
  payload: ApiTokenPayload
  userId: string
  access: ApiAccess
  /** The scopes of the token that the app can still use. */
  scopes: string[]
  /** The `jti` of a JWT; undefined for an opaque token. */
  jti?: string | undefined
}

/**
 * Returns an access token for an API if the token is active and the app can still use some of its scopes. All
 * APIs that exchanged the token must still be registered.
 * @param keys our signing keys
 * @param load reads the snapshot for the key under which a token is stored
 * @returns undefined for any other token
 */
export async function findApiToken(
  keys: readonly PrivateJwk[],
  api: Api,
  token: string,
  load: (key: string | Buffer) => Promise<Snapshot>,
): Promise<ApiToken | undefined> {
  const stored = await storedUnder(keys, api, token)
  if (!stored) return undefined
  const snapshot = await load(stored.key)
  const { artifact, authorization, user, client } = snapshot
  if (artifact?.model !== 'AccessToken' || artifact.consumedAt || isExpired(artifact)) return undefined
  if (!authorization || !user || !client || isCutOff(snapshot)) return undefined
  const payload = artifact.payload as ApiTokenPayload
  if (payload.aud !== api.identifier || payload.clientId !== authorization.clientId) return undefined
  for (const id of actorsOf(payload.extra?.act)) if (!(await apiById(id))) return undefined
  const access = await grantedApi(authorization.id, api)
  const scopes = (payload.scope ?? '').split(' ').filter((scope) => access?.scopes.includes(scope))
  if (!access || scopes.length === 0) return undefined
  return { artifact, payload, userId: user.id, access, scopes, jti: stored.jti }
}

/**
 * Returns the key under which a token is stored: an opaque token itself, or the `jti` of a JWT that we signed
 * for this API.
 * @returns undefined for anything else
 */
async function storedUnder(
  keys: readonly PrivateJwk[],
  api: Api,
  token: string,
): Promise<{ key: string | Buffer; jti?: string } | undefined> {
  if (credentialKind(token) === 'accessToken') return { key: token }
  if (!token.includes('.')) return undefined
  try {
    const { payload } = await jwtVerify(token, keySetOf(keys), {
      typ: 'at+jwt',
      issuer: issuer(),
      audience: api.identifier,
    })
    const { jti = '' } = payload
    return /^[0-9a-f]{64}$/.test(jti) ? { key: Buffer.from(jti, 'hex'), jti } : undefined
  } catch {
    return undefined
  }
}

type KeySet = ReturnType<typeof createLocalJWKSet>
const keySets = new WeakMap<readonly PrivateJwk[], KeySet>()

/** Returns a cached key set with the public parts of our signing keys, for verifying JWTs. */
function keySetOf(keys: readonly PrivateJwk[]): KeySet {
  const known = keySets.get(keys) ?? createLocalJWKSet({ keys: keys.map(publicJwk) })
  keySets.set(keys, known)
  return known
}

const publicJwk = ({ kty, crv, x, y, n, e, kid, alg }: Record<string, unknown> & PrivateJwk): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use: 'sig' }))
