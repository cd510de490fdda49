import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { countUse } from '@/lib/features/apps/usage/count-use'
import { countRequest, type Usage } from '@/lib/features/request-counts/count-request'
import { isApp } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'

/**
 * Counts one request of a caller, and of the app it comes from, and says in the headers where the caller stands.
 * @throws AppError RATE_LIMITED
 */
export function countCaller({ actor, credential }: Caller, headers: Record<string, string>): Usage {
  if (isApp(actor)) countUse(actor.clientId, 'requests')
  const personId = credential.table === 'api_tokens' ? personOf(actor) : undefined
  const usage = countRequest(credential, personId)
  const { allowed, limit, remaining, limited, resetsAt, resetsIn } = usage
  headers['x-ratelimit-limit'] = String(limit)
  headers['x-ratelimit-remaining'] = String(remaining)
  headers['x-ratelimit-reset'] = String(resetsAt)
  if (allowed) return usage
  log.warn('a limit was reached', { name: 'graphql-requests' })
  limitsReached.add({ limit: 'graphql-requests' })
  throw new AppError('RATE_LIMITED', `${limited} may send ${limit} requests an hour.`, {
    retryAfter: resetsIn,
  })
}
