import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { outageOf } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { judgeProof } from '@/lib/policy/proof-of-possession'
import { clientSource } from '@/lib/policy/scopes'
import { clientCredentialsGrant, deviceGrant, jwtBearerGrant } from './high-security'
import { issuer, mount, routes } from './routes'

let pinned: { base: string; host: string; protocol: string } | undefined

/** Host and protocol of BASE_URL. */
function address() {
  const base = config().BASE_URL
  if (pinned?.base !== base) {
    const { host, protocol } = new URL(base)
    pinned = { base, host, protocol: protocol.slice(0, -1) }
  }
  return pinned
}

/** The endpoints at which the engine reads a DPoP proof. */
const provenRoutes = new Set<string>([routes.token, routes.userinfo, routes.pushed_authorization_request])

/**
 * Hides a DPoP proof that the rule of the product refuses: the engine then answers as it does to any text that is no proof.
 * Proofs whose time is wrong are left to the engine, which answers with a nonce for them (RFC 9449 section 8).
 * @param url path and query below the mount
 */
async function judgeProofOf({ headers, method = '' }: IncomingMessage, url: string): Promise<void> {
  if (headers.dpop === undefined) return
  const route = url.split('?', 1)[0]?.toLowerCase() ?? ''
  if (!provenRoutes.has(route)) return
  const accessToken =
    route === routes.userinfo ? /^dpop +(\S+)$/i.exec(headers.authorization ?? '')?.[1] : undefined
  const sound = await judgeProof(String(headers.dpop), { method, url: issuer() + route, accessToken })
  if (!sound) headers.dpop = 'refused'
}

/**
 * Hands a request to the engine. The host and protocol it sees are those of BASE_URL, whatever a client or proxy named.
 * @param url path and query below the mount
 */
export async function enterEngine(
  { callback }: { callback: ReturnType<Provider['callback']> },
  url: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { host, protocol } = address()
  const { headers } = req
  headers.host = host
  headers['x-forwarded-proto'] = protocol
  if (headers['x-forwarded-host'] !== undefined) delete headers['x-forwarded-host']
  await judgeProofOf(req, url)
  // The engine derives its mount path from the two: originalUrl keeps it, url has lost it.
  Object.assign(req, { originalUrl: `${mount}${url}`, url })
  await callback(req, res)
}

/** So much of a stranger's value is repeated to somebody. */
const longestShown = 200

/** A value that was sent, as far as it is repeated: one that is too long ends in "…". */
export const shortened = (sent: string): string =>
  sent.length > longestShown ? `${sent.slice(0, longestShown)}…` : sent

/**
 * A value that was sent, for a sentence of ours: in printable ASCII without quotes and backslashes (RFC 6749 section 4.1.2.1), what is
 * none of it encoded.
 */
export const printable = (sent: string): string =>
  // Half of a pair, which JSON can hold, is no character that could be encoded.
  sent.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent)

/**
 * Returns whether a request brings credentials of its client: a header, a secret or an assertion. The engine refuses those
 * that are wrong.
 * @param ctx once the engine has read the body
 */
export function sentCredentials({ headers, oidc }: KoaContextWithOIDC): boolean {
  const { client_secret: secret, client_assertion: assertion } = (oidc.body ?? {}) as Record<string, unknown>
  return headers.authorization !== undefined || Boolean(secret) || Boolean(assertion)
}

const grants = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  [deviceGrant, 'device_code'],
  [clientCredentialsGrant, 'client_credentials'],
  [jwtBearerGrant, 'jwt_bearer'],
])

/** By which grant a token was asked for, and what kind of app asks: none of it is the client's own word. */
export function describeRequest({ oidc }: KoaContextWithOIDC) {
  const { params, client } = oidc ?? {}
  const asked = params?.grant_type
  return {
    grant: asked === undefined ? undefined : (grants.get(String(asked)) ?? 'other'),
    app_type: client && (client.applicationType === 'native' ? 'native' : 'web'),
    app_source: client && clientSource(client.clientId).toLowerCase(),
  }
}

/** What an endpoint says while the database is away (RFC 6749 section 4.1.2.1 has the code; 503 is RFC 9110's). */
export const unavailable = {
  error: 'temporarily_unavailable',
  error_description: 'the service cannot answer at the moment, try again shortly',
}

const away = new WeakSet<object>()

/** Logs what nobody expected, and remembers of a request whether it failed because the database is away. */
export function noteDefect(ctx: KoaContextWithOIDC, error: unknown): void {
  if (outageOf(error, 'oauth')) away.add(ctx)
  else log.error('the OAuth engine failed', { error })
}

/** Answers 503 where the engine, which knows of no outages, would answer 500. Its pages say it in their own words. */
export function tellOutage(ctx: KoaContextWithOIDC): void {
  if (!away.has(ctx) || ctx.status !== 500) return
  ctx.status = 503
  ctx.set('retry-after', String(outageRetrySeconds))
  if (ctx.response.is('json')) ctx.body = unavailable
}
