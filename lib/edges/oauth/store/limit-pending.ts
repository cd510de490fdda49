import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { isAppError } from '@/lib/base/errors/app-error'
import { isUnverifiedKind } from '@/lib/policy/scopes'
import { sentCredentials } from '../protocol/routes'

/**
 * The most that a pushed authorization request or a device authorization request holds, in bytes. The authorization endpoint
 * accepts no more in a form.
 */
export const mostPendingBytes = 16 * 1024

/** The most characters of one parameter. A request object (RFC 9101) holds all of them, so the total bounds it. */
export const mostParameterLength = 4_096

/**
 * How many of these requests are accepted in a minute, each kind of endpoint by itself. A client_id alone proves nothing, and
 * anyone can register an app of their own: such requests share the small number of their address, which is enough for an
 * office that starts its day, and the large one of the app, which nobody exhausts from a few addresses to lock others out. An
 * app from the settings that authenticates answers for its requests, which all come from its server.
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
 * Bounds and counts a request that stores something for a user who has yet to come (RFC 9126 section 2.3, RFC 8628 section
 * 6.1). Call it before every write: the first one of a request counts. Client authentication has succeeded by then.
 * @throws OIDCProviderError 413 or 400 for a request that is too large, 429 past a limit; Retry-After is set then
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
    message: `too many ${names[route]} ${by === 'address' ? 'from this address' : 'of this app'}: wait as long as Retry-After says`,
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
    if (name !== 'request' && length > mostParameterLength) {
      throw refusal(400, 'invalid_request', `${name} must not exceed ${mostParameterLength} characters`)
    }
  }
  if (total > mostPendingBytes) throw tooLarge()
}

const tooLarge = () =>
  refusal(413, 'invalid_request', `the request must not exceed ${mostPendingBytes} bytes`)

/**
 * Refuses a body by the length that it states, before the engine reads it. One that states none is read by the engine up to
 * its own limit, and its parameters are measured above.
 */
export async function boundPending(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (!(Number(ctx.get('content-length') || 0) > mostPendingBytes)) return next()
  const { status, error, error_description } = tooLarge()
  ctx.status = status
  ctx.set('connection', 'close')
  ctx.body = { error, error_description }
}

function refusal(status: number, code: string, description: string): errors.CustomOIDCProviderError {
  const error = new errors.CustomOIDCProviderError(code, description)
  return Object.assign(error, { status, statusCode: status })
}
