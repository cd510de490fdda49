import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { countUse } from '@/lib/features/apps/activity/count-use'
import { countRequest, type Usage } from '@/lib/features/figures/count-request'
import { isApp } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'

/**
 * Counts one request of a caller and of its app, and sets the X-RateLimit headers.
 * @throws AppError RATE_LIMITED
 */
export function countCaller(caller: Caller, headers: Record<string, string>): Usage {
  if (isApp(caller.actor)) countUse(caller.actor.clientId, 'requests')
  return countOnce(caller, headers)
}

/**
 * Counts the further mutations of one request. Each writes, sends email or calls other servers like a request of its own.
 * @param mutations how many the operation holds; the request itself has counted for one
 * @throws AppError RATE_LIMITED
 */
export function countFurther(caller: Caller, mutations: number, headers: Record<string, string>): void {
  for (let counted = 1; counted < mutations; counted++) countOnce(caller, headers)
}

function countOnce({ actor, credential }: Caller, headers: Record<string, string>): Usage {
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
