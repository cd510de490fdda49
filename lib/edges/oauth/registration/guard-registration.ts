import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { findMatch } from '@/lib/base/credentials/find-match'
import { isAppError } from '@/lib/base/errors/app-error'
import { registeredAppScopes } from '@/lib/policy/allowed-scopes'
import { secretPlaceholder } from '../store/client-record'
import { loadSnapshot } from '../store/snapshot'
import { limitRegistration } from './limit-registration'
import { BodyProblem, readJsonAhead } from './read-json-ahead'

/** The most a registration may weigh. */
const mostBytes = 8 * 1024

/**
 * Stands before the registration endpoint and its management (RFC 7591, RFC 7592): any page may use them (agents run in
 * browsers too, and nothing here rests on cookies), the body is bounded, registrations are counted by address, and a
 * secret that is stored as a hash is neither shown nor asked for again.
 */
export async function guardRegistration(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { method } = ctx
  ctx.set('access-control-allow-origin', '*')
  ctx.set('access-control-expose-headers', 'WWW-Authenticate, Retry-After')
  if (method === 'OPTIONS') return answerPreflight(ctx)
  if (method === 'POST' && config().DYNAMIC_REGISTRATION === 'off') return answerClosed(ctx)
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
  tellScopes(ctx)
}

function answerPreflight(ctx: KoaContextWithOIDC): void {
  ctx.status = 204
  ctx.set('access-control-allow-methods', 'GET, POST, PUT, DELETE')
  ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers') || 'content-type')
  ctx.set('access-control-max-age', '3600')
}

/** RFC 7591 has no word for a server that registers nobody; what stands in its metadata is in step (engine/answer-rules). */
function answerClosed(ctx: KoaContextWithOIDC): void {
  ctx.status = 403
  ctx.body = {
    error: 'access_denied',
    error_description:
      'apps cannot register themselves here: have an admin register it in the settings of a workspace (Settings > Developer)',
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

/** A client that repeats its own secret in an update (RFC 7592 section 2.2) is right to; the engine cannot compare it. */
async function withoutKnownSecret(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { client_secret: secret, ...rest } = body
  if (typeof secret !== 'string' || typeof body.client_id !== 'string') return body
  const { secrets } = await loadSnapshot(body.client_id, null)
  return findMatch(secrets, secret) ? rest : body
}

function hidePlaceholder(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as Record<string, unknown> | undefined
  if (body?.client_secret !== secretPlaceholder) return
  const { client_secret: _, client_secret_expires_at: __, ...shown } = body
  ctx.body = shown
}

/** What the app may get, where that is not everything (RFC 7591 section 2, `scope`). */
function tellScopes(ctx: KoaContextWithOIDC): void {
  const allowed = registeredAppScopes()
  const body = ctx.body as Record<string, unknown> | undefined
  if (allowed.length > 0 && typeof body?.client_id === 'string')
    ctx.body = { ...body, scope: allowed.join(' ') }
}
