import type { KoaContextWithOIDC } from 'oidc-provider'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { limitKey } from '@/lib/base/db/limits'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { showPage, translatorForRequest } from './html-page'

/** The maximum number of requests per minute from signed-out browsers at one IP address to each endpoint. */
export const visitsPerMinute = 300

const name = 'oauth-visits'

/**
 * Returns the limiter that counts the requests. Each process keeps its own counts in memory, because writing
 * a count to the database would cost as much as writing the row that the limit prevents.
 */
export const visits = () =>
  remember(name, () => new RateLimiterMemory({ points: visitsPerMinute, duration: 60 }))

/**
 * Returns the key for counting the requests from an IP address to an endpoint. All IPv6 addresses in a /64
 * network share a key (`limitKey`).
 */
export const visitKey = (endpoint: string, address: string): string => `${endpoint} ${limitKey(address)}`

/**
 * Returns middleware that limits the requests of signed-out browsers to an endpoint where each such request
 * stores a row: an authorization request that waits for a sign-in, or a sign-out that waits for confirmation.
 * A signed-in browser is never rejected, even if other browsers at its IP address have used up the limit.
 * Sessions are looked up only after the limit is exceeded. Every request is counted first, and the count is
 * refunded if oidc-provider finds a session with a user. Requests without a known IP address are not limited.
 * @param endpoint the path of the endpoint below the mount
 */
export const limitVisits =
  (endpoint: string) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    if (!ctx.ip) return next()
    const key = visitKey(endpoint, ctx.ip)
    const refusal = await visits()
      .consume(key)
      .then(
        () => undefined,
        (reached: RateLimiterRes) => reached,
      )
    if (refusal && !(await isSignedIn(ctx))) return refuse(ctx, refusal)
    try {
      await next()
    } finally {
      if (ctx.oidc?.session?.accountId) await visits().reward(key)
    }
  }

const isSignedIn = async (ctx: KoaContextWithOIDC): Promise<boolean> =>
  (await signInFromCookies(ctx.req.headers.cookie, { ip: ctx.ip })) !== undefined

function refuse(ctx: KoaContextWithOIDC, { msBeforeNext }: RateLimiterRes): void {
  log.warn('a limit was reached', { name })
  limitsReached.add({ limit: name })
  ctx.status = 429
  ctx.set('retry-after', String(Math.max(1, Math.ceil(msBeforeNext / 1000))))
  ctx.set('cache-control', 'no-store')
  if (ctx.accepts('html', 'json') !== 'html') {
    const error_description = 'too many requests from this address: wait for the time in Retry-After'
    ctx.body = { error: 'temporarily_unavailable', error_description }
    return
  }
  const say = translatorForRequest(ctx)
  showPage(ctx, { say, title: say('page.tooMany'), text: [say('known.tooManyRequests')] })
}
