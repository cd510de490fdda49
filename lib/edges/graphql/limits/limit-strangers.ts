import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { config } from '@/lib/base/config/env'
import { countedAs } from '@/lib/base/db/counted-as'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { limitsReached } from '@/lib/base/telemetry/metrics'

let limiter: RateLimiterMemory | undefined

/**
 * Counts a request without a token against the address it comes from. In memory, for each process: what it guards is the
 * process's time, and a write for each such request would cost more than the request (docs/decisions/074).
 * @param address undefined where it is not known; then nothing is counted
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function limitStranger(address: string | undefined): Promise<void> {
  if (!address) return
  const points = config().GRAPHQL_ANONYMOUS_PER_MINUTE
  limiter ??= new RateLimiterMemory({ duration: 60, points })
  // The setting is read each time, as everywhere.
  limiter.points = points
  try {
    await limiter.consume(countedAs(address))
  } catch (refusal) {
    log.warn('a limit was reached', { name: 'graphql-anonymous' })
    limitsReached.add({ limit: 'graphql-anonymous' })
    const retryAfter = Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000))
    throw new AppError(
      'RATE_LIMITED',
      `Without a token an address has ${points} requests a minute. Wait, or send a token.`,
      { retryAfter },
    )
  }
}
