import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { registrationLimits } from '@/lib/base/config/limits'
import { findMatchingCredential } from '@/lib/base/credentials/tokens'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { isAppError } from '@/lib/base/errors/app-error'
import { readStart } from '@/lib/base/http/body'
import { registeredAppScopes } from '@/lib/policy/app-status'
import { secretPlaceholder } from '../store/clients'
import { loadSnapshot } from '../store/snapshot'

/** The maximum size of a registration or an update, in bytes. */
const mostBytes = 8 * 1024

/**
 * Wraps the registration and management endpoints (RFC 7591, RFC 7592). Answers CORS preflights and allows
 * any origin, because agents can run in browsers and no cookie is used. Rejects registrations if registration
 * is disabled. Limits the body size, and the numbers of registrations and updates per IP address. Adds the
 * allowed scopes to the response. Secrets are stored only as hashes, so the management endpoint neither
 * returns nor requires a secret.
 */
export async function guardRegistration(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { method } = ctx
  ctx.set('access-control-allow-origin', '*')
  ctx.set('access-control-expose-headers', 'WWW-Authenticate, Retry-After')
  if (method === 'OPTIONS') return answerPreflight(ctx)
  if (method === 'POST' && config().dynamicRegistration === 'off') return answerClosed(ctx)
  try {
    if (method === 'POST') await limitRegistration(ctx.ip)
    if (method === 'POST' || method === 'PUT') {
      await readJsonAhead(ctx.req, mostBytes, method === 'PUT' ? withoutKnownSecret : undefined)
    }
    // Count an update after its body is read. While a request waits, the body's stream can end, and the body
    // would be lost.
    if (method === 'PUT' && ctx.ip) await countAttempt(updates, ctx.ip)
  } catch (error) {
    return answerProblem(ctx, error)
  }
  await next()
  hidePlaceholder(ctx)
  addAllowedScopes(ctx)
}

function answerPreflight(ctx: KoaContextWithOIDC): void {
  ctx.status = 204
  ctx.set('access-control-allow-methods', 'GET, POST, PUT, DELETE')
  ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers') || 'content-type')
  ctx.set('access-control-max-age', '3600')
}

/**
 * Responds that registration is disabled. RFC 7591 defines no error for this case, so the response has the
 * status 403 and the error `access_denied`. The metadata also omits the endpoint (engine/answer-rules).
 */
function answerClosed(ctx: KoaContextWithOIDC): void {
  ctx.status = 403
  ctx.body = {
    error: 'access_denied',
    error_description:
      'client registration is disabled: ask a workspace admin to register the app (Settings > Developer)',
  }
}

function answerProblem(ctx: KoaContextWithOIDC, error: unknown): void {
  if (isAppError(error) && error.code === 'RATE_LIMITED') {
    ctx.status = 429
    ctx.set('retry-after', String(error.details.retryAfter ?? 60))
    ctx.body = { error: 'temporarily_unavailable', error_description: error.message }
  } else if (error instanceof BodyProblem) {
    ctx.status = error.status
    ctx.body = { error: 'invalid_client_metadata', error_description: error.message }
  } else throw error
}

/**
 * Returns the body of an update without the client secret if the secret is correct. Returns any other body
 * unchanged. An update can repeat the secret (RFC 7592 section 2.2), but oidc-provider cannot compare the
 * secret with the stored hash.
 */
async function withoutKnownSecret(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { client_secret: secret, ...rest } = body
  if (typeof secret !== 'string' || typeof body.client_id !== 'string') return body
  const { secrets } = await loadSnapshot(body.client_id, null)
  return findMatchingCredential(secrets, secret) ? rest : body
}

function hidePlaceholder(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as Record<string, unknown> | undefined
  if (body?.client_secret !== secretPlaceholder) return
  const { client_secret: _, client_secret_expires_at: __, ...shown } = body
  ctx.body = shown
}

/**
 * Adds the scopes that self-registered apps can request to the client metadata in the response, if instance
 * admins limit these scopes (RFC 7591 section 2, `scope`).
 */
function addAllowedScopes(ctx: KoaContextWithOIDC): void {
  const allowed = registeredAppScopes()
  const body = ctx.body as Record<string, unknown> | undefined
  if (allowed.length > 0 && typeof body?.client_id === 'string')
    ctx.body = { ...body, scope: allowed.join(' ') }
}

/**
 * The limit on updates per IP address. An update can contain new URLs for this server to call, so unlimited
 * updates would bypass the caches of the responses.
 */
const updates: AttemptLimit = {
  name: 'register-update',
  points: 60,
  seconds: 3600,
  message: 'too many updates from this address',
}

const message = 'too many registrations from this address'

/**
 * Counts one registration from an IP address. Each IP address has an hourly limit. Registrations beyond this
 * limit use a reserve for bursts, which refills daily. An unknown IP address is not limited.
 * @throws AppError RATE_LIMITED with `retryAfter` if the hourly limit and the reserve are used up
 */
async function limitRegistration(address: string | undefined): Promise<void> {
  if (!address) return
  const { hourly, burst } = registrationLimits
  try {
    const limit = { name: 'register-hour', points: hourly, seconds: 3600, message }
    await countAttempt({ ...limit, isFirstOfTwo: true }, address)
  } catch (error) {
    if (!isAppError(error)) throw error
    const reserve = { name: 'register-burst', points: burst - hourly, seconds: 86_400, message }
    await countAttempt(reserve, address).catch((refusal) => {
      // Report the hourly limit, because it resets before the daily limit.
      throw isAppError(refusal) ? error : refusal
    })
  }
}

/** An error for a body that is too long or has no Content-Length, with the status to respond with. */
class BodyProblem extends Error {
  constructor(
    readonly status: 411 | 413,
    message: string,
  ) {
    super(message)
  }
}

type Json = Record<string, unknown>

/**
 * Reads a body before oidc-provider does, and limits its size. If the body is a JSON object, replaces it with
 * the result of `change`. Then puts the body back into the stream. oidc-provider rejects any body that is not
 * a JSON object. Does nothing if the request has no body.
 * @param change returns the body for oidc-provider
 * @throws BodyProblem if the body is too long or is sent without a Content-Length
 */
async function readJsonAhead(
  req: IncomingMessage,
  mostBytes: number,
  change: (body: Json) => Promise<Json> | Json = (body) => body,
): Promise<void> {
  if (req.headers['content-length'] === undefined) {
    if (req.headers['transfer-encoding'] === undefined) return
    throw new BodyProblem(411, 'the request must have a Content-Length')
  }
  const length = Number(req.headers['content-length'])
  if (!(length <= mostBytes)) throw new BodyProblem(413, `the request must not exceed ${mostBytes} bytes`)
  if (length === 0) return
  // Stop as soon as the last byte has been read, and do not wait for the end of the stream. After the stream
  // has ended, `unshift` cannot put the body back.
  const sent = await readStart(req.iterator({ destroyOnReturn: false }), length - 1)
  const body = await rewrite(sent, change)
  req.headers['content-length'] = String(body.length)
  req.unshift(body)
}

async function rewrite(body: Buffer, change: (body: Json) => Promise<Json> | Json): Promise<Buffer> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return body
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return body
  return Buffer.from(JSON.stringify(await change(parsed as Json)))
}
