import { config } from '@/lib/base/config/env'
import { AppError } from '@/lib/base/errors/app-error'
import { isShuttingDown } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { tokensWorth } from '@/lib/features/figures/count-request'
import type { Caller } from '@/lib/policy/bearer'

/** How many streams are open in this process, by the credential or the person they are counted for. */
const open = () => remember('open-streams', () => new Map<string, number>())

/**
 * Counts a stream, until it is closed. All tokens of one person together have a few times as many as one.
 * @returns closes it
 * @throws AppError RATE_LIMITED where there are as many as there may be; SERVICE_UNAVAILABLE from a process that is about to
 *   end; BAD_REQUEST where the platform lets no process wait
 */
export function openStream({ credential, person }: Caller): () => void {
  if (config().functions) {
    throw new AppError(
      'BAD_REQUEST',
      'Subscriptions are not to be had here: this installation holds no stream open. Ask for the list.',
    )
  }
  if (isShuttingDown()) throw new AppError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 1 })
  const most = config().GRAPHQL_SUBSCRIPTIONS
  const counted = [{ id: credential.id, most, who: 'This token' }]
  if (person && credential.table === 'api_tokens') {
    counted.push({ id: person.id, most: most * tokensWorth, who: 'All your tokens together' })
  }
  for (const { id, most, who } of counted) {
    if ((open().get(id) ?? 0) < most) continue
    limitsReached.add({ limit: 'graphql-subscriptions' })
    throw new AppError('RATE_LIMITED', `${who} may have ${most} subscriptions open. Close one first.`, {
      retryAfter: 5,
    })
  }
  for (const { id } of counted) open().set(id, (open().get(id) ?? 0) + 1)
  return () => {
    for (const { id } of counted) {
      const left = (open().get(id) ?? 1) - 1
      if (left > 0) open().set(id, left)
      else open().delete(id)
    }
  }
}
