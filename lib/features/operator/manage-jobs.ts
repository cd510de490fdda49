import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { hasQueue } from '@/lib/base/jobs/insert-jobs'
import { isScheduled } from '@/lib/base/jobs/schedule'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import { addDeliveries } from '@/lib/features/webhooks/add-deliveries'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance } from '@/lib/policy/hold'
import { isId } from '@/lib/policy/require'

const unknown = () => new AppError('NOT_FOUND', 'There is no such job, or it runs again already.')

/**
 * Tries work again that failed for good, once more and at once. A delivery to a webhook is sent as one of its own, with the
 * same event id.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function retryJob(actor: Actor, id: string): Promise<void> {
  authorizeInstance(actor)
  if (!isId(id)) throw unknown()
  const queued = await hasQueue(prisma())
  await prisma().$transaction(async (tx) => {
    await holdInstance(tx, actor)
    const retried = (queued && (await retryQueued(tx, id))) || (await retryDelivery(tx, id))
    if (!retried) throw unknown()
    await recordEvent(tx, actor, { action: 'job.retried', resource: { type: 'job', id } })
  })
  log.info('an operator acted', { action: 'job.retried', operator: actor.userId, job: id })
}

const retryQueued = (tx: Db, id: string): Promise<number> => tx.$executeRaw`
  UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1, completed_on = NULL
   WHERE id = ${id}::uuid AND state = 'failed'`

async function retryDelivery(tx: Db, id: string): Promise<boolean> {
  const failed = await tx.webhookDelivery.findFirst({
    where: { id, status: 'FAILED' },
    include: { webhook: { select: { id: true, url: true } } },
  })
  if (!failed) return false
  const { webhookId, webhook, eventId, event, payload } = failed
  const again = await tx.webhookDelivery.count({ where: { webhookId, eventId, id: { gt: id } } })
  if (again > 0) return false
  await addDeliveries(tx, [{ webhook, eventId, event, payload: payload as object }])
  return true
}

/**
 * Runs what runs at set times now, once, besides.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function runJobNow(actor: Actor, name: string): Promise<void> {
  authorizeInstance(actor)
  if (!isScheduled(name) || !(await hasQueue(prisma())))
    throw new AppError('NOT_FOUND', 'There is no such job.')
  await prisma().$transaction(async (tx) => {
    await holdInstance(tx, actor)
    await tx.$executeRaw`INSERT INTO pgboss.job (name) VALUES (${name})`
    await recordEvent(tx, actor, { action: 'job.run', resource: { type: 'job', id: name } })
  })
  log.info('an operator acted', { action: 'job.run', operator: actor.userId, job: name })
}
