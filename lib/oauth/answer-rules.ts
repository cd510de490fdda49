import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/config/env'
import { issuer } from './config/routes'
import { pollingInterval } from './store/poll-device-code'

/**
 * Where the interface document wants another answer than the engine gives. Runs around the engine, once its answer is
 * complete.
 */
export async function applyAnswerRules(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (error) {
    answerEscaped(ctx, error)
  }
  redirectWith302(ctx)
  clientErrorsAs400(ctx)
  missingTokenAs401(ctx)
  completeDeviceAnswer(ctx)
  nameUnknownPaths(ctx)
}

/**
 * The engine handles its own errors, except where it stores a session, which may be refused for what a request put there.
 * Anything else that escapes is a defect or a database that does not answer.
 */
function answerEscaped(ctx: KoaContextWithOIDC, error: unknown): void {
  if (error instanceof errors.OIDCProviderError && error.statusCode < 500) {
    ctx.status = error.statusCode
    ctx.body = { error: error.error, error_description: error.error_description }
    return
  }
  console.error(error)
  ctx.status = 500
  ctx.body = { error: 'server_error', error_description: 'something went wrong on our side' }
}

/** Redirects that answer a GET are 302 (interface.md 4.3). */
function redirectWith302(ctx: KoaContextWithOIDC): void {
  if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302
}

/** A client that failed to authenticate is answered 400, or 401 if it used the Authorization header (RFC 6749 5.2). */
function clientErrorsAs400(ctx: KoaContextWithOIDC): void {
  const { error } = (ctx.body ?? {}) as { error?: string }
  if (ctx.status === 401 && error === 'invalid_client' && ctx.headers.authorization === undefined) {
    ctx.status = 400
  }
}

/** An Authorization header that holds no token at /oauth/me is a missing token (interface.md 4.7), whatever it holds. */
function missingTokenAs401(ctx: KoaContextWithOIDC): void {
  const header = ctx.headers.authorization
  if (ctx._matchedRouteName !== 'userinfo' || ctx.status !== 400 || header === undefined) return
  if (/^(Bearer|DPoP) \S+$/i.test(header)) return
  ctx.status = 401
  ctx.set('www-authenticate', `Bearer realm="${issuer()}", error="invalid_token"`)
  ctx.body = { error: 'invalid_token', error_description: 'no access token provided' }
}

/** The device's answer names our own pages, and how often to ask (RFC 8628 section 3.2). */
function completeDeviceAnswer(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { user_code?: string } | undefined
  if (ctx.status !== 200 || ctx._matchedRouteName !== 'device_authorization' || !body?.user_code) return
  const page = `${config().BASE_URL}/device`
  ctx.body = {
    ...body,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${encodeURIComponent(body.user_code)}`,
    interval: pollingInterval,
  }
}

function nameUnknownPaths(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 404 || ctx.body) return
  ctx.status = 404
  ctx.body = { error: 'invalid_request', error_description: `there is nothing at ${ctx.method} ${ctx.path}` }
}
