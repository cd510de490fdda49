import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import { createLocalJWKSet, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { credentialKind } from '@/lib/base/credentials/tokens'
import { sendJson } from '@/lib/base/http/answers'
import { readBody } from '@/lib/base/http/body'
import { refusals } from '@/lib/base/telemetry/metrics'
import { authorizationDetails, findApiAccess } from '@/lib/features/apps/authorizations/api-grants'
import { type Api, authenticateApi } from '@/lib/features/resources/apis'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import type { Engine } from '../engine/provider'
import { issuer } from '../protocol/routes'
import { isExpired } from '../store/artifacts'
import { isCutOff, loadSnapshot } from '../store/snapshot'

/** The most bytes of a form. A JWT with the most authorization details has about 4 KB. */
const mostBytes = 32_768

/** How long an API can use an answer, in seconds: the time after which a lost role or a revocation is noticed at the latest. */
const cacheSeconds = 10

const signedType = 'application/token-introspection+jwt'

/** Credentials in the format of an API's, not checked yet. */
export type ApiCredentials = { id: string; secret: string; fromHeader: boolean }

/**
 * Answers POST /oauth/token/introspection for an API that authenticates with its own credentials (RFC 7662). It learns about tokens
 * that are meant for it, and about no others: those are inactive.
 * @param caller from `apiInHeader` or `apiInForm`
 */
export async function answerApiIntrospection(
  engine: Engine,
  caller: ApiCredentials,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  // PostgreSQL rejects NUL.
  const api = caller.id.includes('\0') ? undefined : await authenticateApi(caller.id, caller.secret)
  if (!api) {
    refusals.add({ edge: 'oauth', code: 'invalid_client' })
    const headers = {
      ...noStore,
      ...(caller.fromHeader && { 'www-authenticate': `Basic realm="${issuer()}"` }),
    }
    refuse(res, caller.fromHeader ? 401 : 400, 'invalid_client', 'unknown API or wrong secret', headers)
    return
  }
  const form = await formOf(req)
  if (form === undefined) refuse(res, 400, 'invalid_request', 'the body must be a form of at most 32 KB')
  else if (typeof form.token !== 'string' || form.token === '')
    refuse(res, 400, 'invalid_request', 'send the parameter token once')
  else await send(engine, api, await describeToken(engine, api, form.token), req, res)
}

const noStore = { 'cache-control': 'no-store' }

function refuse(
  res: ServerResponse,
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = noStore,
): void {
  sendJson(res, status, { error, error_description: description }, headers)
}

/** Returns the credentials of an API in an Authorization header (RFC 6749 section 2.3.1); undefined for any others. */
export function apiInHeader(header: string | undefined): ApiCredentials | undefined {
  const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1]
  if (basic === undefined) return undefined
  const text = Buffer.from(basic, 'base64').toString()
  const at = text.indexOf(':')
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && credentialKind(secret) === 'apiSecret' ? { id, secret, fromHeader: true } : undefined
}

/** Returns the credentials of an API in a form; undefined for any others. */
export const apiInForm = (id: string | undefined, secret: string | undefined): ApiCredentials | undefined =>
  id && secret && credentialKind(secret) === 'apiSecret' ? { id, secret, fromHeader: false } : undefined

async function formOf(req: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(req.headers['content-type'] ?? '')) return undefined
  const body = await readBody(req, mostBytes).catch(() => undefined)
  return body && parse(body.toString())
}

type Answer = { active: false } | ({ active: true; exp: number } & Record<string, unknown>)

const inactive: Answer = { active: false }

type Payload = {
  iat: number
  exp: number
  accountId: string
  clientId: string
  scope?: string
  aud?: unknown
  sid?: string
  jkt?: string
  amr?: string[]
  authTime?: number
}

/** Returns what an API learns about a token: the user, the app, the scopes, and the selection with the roles of this moment. */
async function describeToken(engine: Engine, api: Api, token: string): Promise<Answer> {
  const stored = await storedUnder(engine, api, token)
  if (!stored) return inactive
  const snapshot = await loadSnapshot(null, stored.key)
  const { artifact, authorization, user, client } = snapshot
  if (artifact?.model !== 'AccessToken' || artifact.consumedAt || isExpired(artifact)) return inactive
  if (!authorization || !user || !client || isCutOff(snapshot)) return inactive
  const payload = artifact.payload as Payload
  if (payload.aud !== api.identifier || payload.clientId !== authorization.clientId) return inactive
  const access = await findApiAccess(authorization.id, api)
  const scopes = (payload.scope ?? '').split(' ').filter((scope) => access?.scopes.includes(scope))
  if (!access || scopes.length === 0) return inactive
  return {
    active: true,
    iss: issuer(),
    sub: user.id,
    client_id: client.id,
    aud: api.identifier,
    scope: scopes.join(' '),
    token_type: payload.jkt ? 'DPoP' : 'Bearer',
    iat: payload.iat,
    exp: payload.exp,
    sid: payload.sid,
    jti: stored.jti,
    auth_time: payload.authTime,
    cnf: payload.jkt ? { jkt: payload.jkt } : undefined,
    authorization_details: await authorizationDetails(api, access, scopes, hasTwoFactors(payload.amr ?? [])),
  }
}

/**
 * Returns the key under which a token is stored: an opaque token itself, or the `jti` of a JWT that we signed for this API.
 * @returns undefined for anything else
 */
async function storedUnder(
  { keys }: Engine,
  api: Api,
  token: string,
): Promise<{ key: string | Buffer; jti?: string } | undefined> {
  if (credentialKind(token) === 'accessToken') return { key: token }
  if (!token.includes('.')) return undefined
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: keys.map(publicJwk) }), {
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

const publicJwk = ({
  kty,
  crv,
  x,
  y,
  n,
  e,
  kid,
  alg,
}: Record<string, unknown> & Engine['keys'][number]): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use: 'sig' }))

/**
 * Sends an answer, signed if the API accepts only that (RFC 9701). `Cache-Control` says for how long the API can use it.
 */
async function send(engine: Engine, api: Api, answer: Answer, req: IncomingMessage, res: ServerResponse) {
  const left = answer.active ? answer.exp - Math.floor(Date.now() / 1000) : 0
  const seconds = Math.max(0, Math.min(cacheSeconds, left))
  const headers = {
    vary: 'Accept',
    'cache-control': seconds > 0 ? `private, max-age=${seconds}` : 'no-store',
  }
  if (!(req.headers.accept ?? '').toLowerCase().includes(signedType))
    return sendJson(res, 200, answer, headers)
  const key = engine.keys.find(({ alg }) => alg === api.signingAlgorithm)
  if (!key) throw new Error(`There is no signing key for ${api.signingAlgorithm}.`)
  const signed = await new SignJWT({ token_introspection: answer })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'token-introspection+jwt' })
    .setIssuer(issuer())
    .setAudience(api.identifier)
    .setIssuedAt()
    .sign(await importJWK(key as JWK, key.alg))
  res.writeHead(200, { ...headers, 'content-type': signedType })
  res.end(signed)
}
