import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import { sendJson } from '@/lib/base/http/answers'
import { readBody } from '@/lib/base/http/body'
import { refusals } from '@/lib/base/telemetry/metrics'
import { authorizationDetails } from '@/lib/features/apps/authorizations/api-grants'
import { type Api, authenticateApi } from '@/lib/features/resources/apis'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import { signForApi } from '../engine/api-resources'
import type { Engine } from '../engine/provider'
import { issuer } from '../protocol/routes'
import { type ApiCredentials, findApiToken } from '../store/api-tokens'
import { loadSnapshot } from '../store/snapshot'

/** The maximum form size, in bytes. Even a JWT with the maximum authorization details is only about 4 KB. */
export const mostBytes = 32_768

/**
 * The maximum number of seconds that an API can cache a response. If a user loses a role or revokes access,
 * the change takes effect at the API within this time.
 */
const cacheSeconds = 10

const signedType = 'application/token-introspection+jwt'

/**
 * Answers POST /oauth/token/introspection for an API that authenticates with its own credentials (RFC 7662).
 * The response describes only tokens that are meant for the API. All other tokens are reported as inactive.
 * Rejects invalid credentials, and forms that are invalid or too long.
 * @param caller the API's unverified credentials, from `apiInHeader` or `apiInForm`
 */
export async function answerApiIntrospection(
  engine: Engine,
  caller: ApiCredentials,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const api = await authenticateApi(caller.id, caller.secret)
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
    refuse(res, 400, 'invalid_request', 'the token parameter must be sent exactly once')
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

async function formOf(req: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(req.headers['content-type'] ?? '')) return undefined
  const body = await readBody(req, mostBytes).catch(() => undefined)
  return body && parse(body.toString())
}

type Answer = { active: false } | ({ active: true; exp: number } & Record<string, unknown>)

const inactive: Answer = { active: false }

/**
 * Returns the response about a token. If the token is active and meant for the API, the response includes the
 * user, the app, the scopes, and the selection with the user's current roles. Otherwise, the response
 * contains only `active: false`.
 */
async function describeToken({ keys }: Engine, api: Api, token: string): Promise<Answer> {
  const found = await findApiToken(keys, api, token, (key) => loadSnapshot(null, key))
  if (!found) return inactive
  const { payload, userId, access, scopes, jti } = found
  return {
    active: true,
    iss: issuer(),
    sub: userId,
    client_id: payload.clientId,
    aud: api.identifier,
    scope: scopes.join(' '),
    token_type: payload.jkt ? 'DPoP' : 'Bearer',
    iat: payload.iat,
    exp: payload.exp,
    sid: payload.sid,
    jti,
    auth_time: payload.authTime,
    act: payload.extra?.act,
    cnf: payload.jkt ? { jkt: payload.jkt } : undefined,
    authorization_details: await authorizationDetails(api, access, scopes, hasTwoFactors(payload.amr ?? [])),
  }
}

/**
 * Sends a response. Signs it if the Accept header requests a signed response (RFC 9701). `Cache-Control` lets
 * the API cache the response about an active token for up to `cacheSeconds`, but not after the token expires.
 * Other responses must not be cached.
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
  const signed = await signForApi(engine.keys, api, 'token-introspection+jwt', {
    token_introspection: answer,
  })
  res.writeHead(200, { ...headers, 'content-type': signedType })
  res.end(signed)
}
