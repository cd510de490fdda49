import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { registrationLimits } from '@/lib/base/config/limits'
import { findMatchingCredential } from '@/lib/base/credentials/tokens'
import { countAttempt } from '@/lib/base/db/limits'
import { isAppError } from '@/lib/base/errors/app-error'
import { readStart } from '@/lib/base/http/body'
import { registeredAppScopes } from '@/lib/policy/app-status'
import { secretPlaceholder } from '../store/clients'
import { loadSnapshot } from '../store/snapshot'

/** The maximum size of a registration, in bytes. */
const mostBytes = 8 * 1024

/**
 * Wraps the registration and management endpoints (RFC 7591, RFC 7592). Allows any origin, because agents can run in
 * browsers and no cookie is used. Limits the body size and the number of registrations per IP address. Secrets are
 * stored only as hashes, so the management endpoint neither returns a secret nor requires it.
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
 * Responds with 403 if registration is disabled, because RFC 7591 defines no error for this. The metadata
 * also omits the endpoint (engine/answer-rules).
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
 * Removes the client secret from an update if the secret is correct. An update can repeat the secret (RFC 7592 section 2.2),
 * but oidc-provider cannot compare it with the stored hash.
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

/** Adds the allowed scopes to the response if they are limited (RFC 7591 section 2, `scope`). */
function addAllowedScopes(ctx: KoaContextWithOIDC): void {
  const allowed = registeredAppScopes()
  const body = ctx.body as Record<string, unknown> | undefined
  if (allowed.length > 0 && typeof body?.client_id === 'string')
    ctx.body = { ...body, scope: allowed.join(' ') }
}

const message = 'too many registrations from this address'

/**
 * Counts one registration from an IP address. Each IP address has an hourly limit. Registrations beyond it use a
 * reserve for bursts, which refills daily.
 * @throws AppError RATE_LIMITED with `retryAfter`
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

/** An error for an invalid body, with the status to respond with. */
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
 * Reads a JSON body before oidc-provider does, limits its size, applies `change` if it is an object, and puts it back into
 * the stream. Any other body is put back unchanged, and oidc-provider rejects it.
 * @param change returns the body for oidc-provider
 * @throws BodyProblem if the body is too long or the request has no Content-Length
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
  // Stop at the last byte, because the body cannot be put back after the stream has ended.
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
