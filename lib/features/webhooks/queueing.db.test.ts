import PgBoss from 'pg-boss'
import { afterAll, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { deliveryQueue, queueDeliveriesWithoutJob } from './queue-deliveries'

let boss: PgBoss
afterAll(() => runShutdownTasks())

/**
 * Creates a workspace with a webhook whose endpoint does not respond, and a function that records an event in
 * the workspace.
 */
async function world() {
  const { id: userId } = await makeUser()
  const { id: workspaceId } = await makeWorkspace([[{ id: userId }, 'ADMIN']])
  const url = 'https://hooks.example.test/a'
  const data = { workspaceId, url, events: ['project.*'], sealedSecret: new Uint8Array(40) }
  const { id: webhookId } = await prisma().webhook.create({ data })
  const actor: Actor = { kind: 'account-token', userId, tokenId: 't', role: 'ADMIN' }
  const record = (tx: Parameters<typeof recordEvent>[0]) =>
    recordEvent(tx, actor, {
      action: 'project.created',
      resource: { type: 'project', id: workspaceId },
      workspaceId,
    })
  const written = () => prisma().webhookDelivery.findMany({ where: { webhookId } })
  return { webhookId, record, written }
}

const job = async (delivery: { id: string } | undefined) =>
  boss.getJobById(deliveryQueue, String(delivery?.id))

it('deliveries are queued even if they are stored before or during the first start of background work', async () => {
  const { record, written } = await world()
  await prisma().$transaction(record)
  // After this start, the tables of pg-boss exist, but the queue does not.
  const starting = new PgBoss({ db: { executeSql: (text, values) => pool().query(text, values) } })
  await starting.start()
  await prisma().$transaction(record)
  await starting.stop({ graceful: false, close: false })
  const deliveries = await written()
  expect(deliveries).toMatchObject([{ status: 'PENDING', attempts: 0 }, { status: 'PENDING' }])
  boss = await startJobs(makeLogoutToken)
  for (const delivery of deliveries) {
    expect(await job(delivery)).toMatchObject({ data: { id: delivery.id }, retryLimit: 10, retryDelay: 10 })
  }
}, 60_000)

it('a delivery and its job are committed together or not at all', async () => {
  const { webhookId, record, written } = await world()
  const jobs = () => prisma().$queryRaw`
    SELECT id FROM pgboss.job WHERE name = ${deliveryQueue}
       AND id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId}::uuid)`
  await prisma().$transaction(async (tx) => {
    await record(tx)
    const [delivery] = await tx.webhookDelivery.findMany({ where: { webhookId } })
    // Another connection sees neither before the transaction commits.
    expect([await written(), await job(delivery)]).toEqual([[], null])
  })
  const [delivery] = await written()
  expect(await job(delivery)).toMatchObject({ id: delivery?.id })

  const undone = new Error('undone')
  const ids = await jobs()
  const attempt = prisma().$transaction(async (tx) => {
    await record(tx)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
  expect([(await written()).length, await jobs()]).toEqual([1, ids])
})

it('each pending delivery without a job is queued exactly once', async () => {
  const { webhookId, record, written } = await world()
  const stored = { webhookId, eventId: crypto.randomUUID(), event: 'project.created', payload: {} }
  const left = await prisma().webhookDelivery.create({ data: stored })
  const done = await prisma().webhookDelivery.create({ data: { ...stored, status: 'DELIVERED' } })
  await prisma().$transaction(record)
  expect(await job(left)).toBeNull()
  const before = await prisma().$queryRaw<unknown[]>`SELECT id FROM pgboss.job WHERE name = ${deliveryQueue}`
  await queueDeliveriesWithoutJob()
  await queueDeliveriesWithoutJob()
  const after = await prisma().$queryRaw<unknown[]>`SELECT id FROM pgboss.job WHERE name = ${deliveryQueue}`
  expect(after).toHaveLength(before.length + 1)
  expect(await job(left)).toMatchObject({ data: { id: left.id } })
  expect(await job(done)).toBeNull()
  expect(await written()).toHaveLength(3)
})
