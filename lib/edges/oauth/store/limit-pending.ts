import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { isAppError } from '@/lib/base/errors/app-error'
import { isUnverifiedKind } from '@/lib/policy/scopes'
import { sentCredentials } from '../protocol/routes'

/**
 * The maximum size of a pushed authorization request or a device authorization request, in bytes. The limit
 * is the same as for forms at the authorization endpoint.
 */
export const maxPendingBytes = 16 * 1024

/**
 * The maximum number of characters of one parameter. Request objects (RFC 9101) contain all parameters, so
 * only the maximum total size limits them.
 */
export const maxParameterLength = 4_096

/**
 * The maximum number of pending requests accepted per minute, separately for each endpoint. Anyone can
 * register an app, and a client_id proves nothing. Unauthenticated requests and all requests of
 * self-registered apps therefore have a small limit per IP address, which is enough for an office, and a
 * large limit per app, which a few IP addresses cannot exhaust. Authenticated requests of apps from the
 * settings have separate limits, because all requests of such an app come from its server.
 */
export const pendingPerMinute = {
  unproven: { address: 60, client: 3_000 },
  proven: { address: 600, client: 300 },
}

type Endpoint = 'pushed_authorization_request' | 'device_authorization'

const names: Record<Endpoint, string> = {
  pushed_authorization_request: 'pushed authorization requests',
  device_authorization: 'device authorization requests',
}

const isEndpoint = (route: string): route is Endpoint => Object.hasOwn(names, route)

const counted = new WeakSet<KoaContextWithOIDC>()

/**
 * Limits the size and rate of requests that store a row before a user is involved: pushed authorization
 * requests (RFC 9126 section 2.3) and device authorization requests (RFC 8628 section 6.1). Call this
 * function before every write, after the client has been authenticated. Only the first call in a request
 * counts. In any other request, the call has no effect.
 * @throws OIDCProviderError 413 or 400 for a request that is too large; 429, with Retry-After, if a limit is
 * exceeded
 */
export async function limitPending(): Promise<void> {
  const { ctx } = Provider
  if (!ctx?.oidc.client || !isEndpoint(ctx.oidc.route) || counted.has(ctx)) return
  counted.add(ctx)
  checkSizes(ctx.oidc.params ?? {})
  const { clientId } = ctx.oidc.client
  const isProven = sentCredentials(ctx) && !isUnverifiedKind(clientId)
  const kind = isProven ? 'proven' : 'unproven'
  const most = pendingPerMinute[kind]
  const { route } = ctx.oidc
  const limit = (by: 'address' | 'client'): AttemptLimit => ({
    name: `${route} ${kind} ${by}`,
    points: most[by],
    seconds: 60,
    message: `too many ${names[route]} ${by === 'address' ? 'from this address' : 'from this app'}: wait for the time in Retry-After`,
  })
  try {
    if (ctx.ip) await countAttempt(limit('address'), ctx.ip)
    await countAttempt(limit('client'), clientId)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'RATE_LIMITED') throw error
    ctx.set('retry-after', String(error.details.retryAfter))
    throw refusal(429, 'temporarily_unavailable', error.message)
  }
}

function checkSizes(params: Record<string, unknown>): void {
  let total = 0
  for (const [name, value] of Object.entries(params)) {
    const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
    total += length
    if (name !== 'request' && length > maxParameterLength) {
      throw refusal(400, 'invalid_request', `${name} must not exceed ${maxParameterLength} characters`)
    }
  }
  if (total > maxPendingBytes) throw tooLarge()
}

const tooLarge = () => refusal(413, 'invalid_request', `the request must not exceed ${maxPendingBytes} bytes`)

/**
 * Rejects a body whose Content-Length exceeds the maximum, before oidc-provider reads the body. If the
 * request has no Content-Length, oidc-provider limits the size of the body, and `limitPending` limits the
 * parameters.
 */
export async function limitBodySize(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (!(Number(ctx.get('content-length') || 0) > maxPendingBytes)) return next()
  const { status, error, error_description } = tooLarge()
  ctx.status = status
  ctx.set('connection', 'close')
  ctx.body = { error, error_description }
}

function refusal(status: number, code: string, description: string): errors.CustomOIDCProviderError {
  const error = new errors.CustomOIDCProviderError(code, description)
  return Object.assign(error, { status, statusCode: status })
}
