import type { KoaContextWithOIDC } from 'oidc-provider'
import { outageOf } from '@/lib/base/db/is-outage'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'

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
