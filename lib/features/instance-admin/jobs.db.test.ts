import { randomUUID } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import type { SessionActor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { listJobs, retryJob, runJobNow } from './jobs'

let boss: PgBoss | undefined
let instanceAdmin: SessionActor

beforeAll(async () => {
  const { id } = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
})
afterAll(() => runShutdownTasks())

const queue = async (name: string) => {
  const found = (await listJobs(instanceAdmin)).queues.find((one) => one.name === name)
  if (!found) throw new Error(`no queue ${name}`)
  return found
}

it('listJobs reports that no background jobs are running if none has ever been started', async () => {
  expect(await listJobs(instanceAdmin)).toMatchObject({ running: false, queues: [] })
  await expect(runJobNow(instanceAdmin, 'remove-stale')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(retryJob(instanceAdmin, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('background jobs', () => {
  beforeEach(async () => {
    boss ??= await startJobs(makeLogoutToken)
  }, 60_000)

  it('are listed with their purpose and next run, without the queue’s internal jobs', async () => {
    const before = Date.now()
    const { queues } = await listJobs(instanceAdmin)
    expect(queues.map(({ name }) => name)).toEqual([
      'api-events',
      'audit-stream',
      'backchannel-logout',
      'forget-audit',
      'forget-deliveries',
      'forget-keys',
      'forget-projects',
      'keep-used-tokens',
      'note-queue',
      'queue-deliveries',
      'remove-expired',
      'remove-stale',
      'renew-domains',
      'warn-of-expiry',
      'webhook-delivery',
    ])
    for (const { name, title, about, slot, next } of queues) {
      expect(title).not.toBe(name)
      expect(about).toMatch(/\.$/)
      if (slot) expect(next?.getTime()).toBeGreaterThan(before)
    }
  })

  it('can be run on request only if they have a schedule', async () => {
    await runJobNow(instanceAdmin, 'forget-deliveries')
    expect(await queue('forget-deliveries')).toMatchObject({ waiting: 1 })
    await expect(runJobNow(instanceAdmin, 'webhook-delivery')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // Workers poll only every 30 seconds, so the test runs the jobs itself.
    for (const { id } of (await boss?.fetch('forget-deliveries')) ?? []) {
      await boss?.complete('forget-deliveries', id)
    }
    await vi.waitFor(async () =>
      expect(await queue('forget-deliveries')).toMatchObject({ waiting: 0, last: { failed: false } }),
    )
  })

  it('are shown with their error after the last attempt fails, and can be retried', async () => {
    const id = randomUUID()
    await boss?.createQueue('unheard-of')
    await boss?.insert([{ id, name: 'unheard-of', retryLimit: 0 }])
    await boss?.fetch('unheard-of')
    await boss?.fail('unheard-of', id, new Error('the disk is full'))
    const { failed } = await listJobs(instanceAdmin)
    expect(failed).toMatchObject([
      { id, queue: 'unheard-of', title: 'unheard-of', attempts: 1, error: 'the disk is full' },
    ])
    expect(await queue('unheard-of')).toMatchObject({ failed: 1, waiting: 0, last: { failed: true } })
    await retryJob(instanceAdmin, id)
    expect(await queue('unheard-of')).toMatchObject({ failed: 0, waiting: 1 })
    expect((await listJobs(instanceAdmin)).failed).toEqual([])
    expect(await boss?.fetch('unheard-of')).toMatchObject([{ id }])
    await expect(retryJob(instanceAdmin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await prisma().auditEvent.count({ where: { action: 'job.retried', resourceId: id } })).toBe(1)
  })

  it('include failed webhook deliveries that have not been sent again', async () => {
    const workspace = await makeWorkspace()
    const webhook = await prisma().webhook.create({
      data: {
        workspaceId: workspace.id,
        url: 'https://hooks.example.test/a',
        events: ['project.*'],
        sealedSecret: new Uint8Array(1),
      },
    })
    const delivery = {
      webhookId: webhook.id,
      eventId: randomUUID(),
      event: 'project.created',
      payload: {},
      status: 'FAILED',
      attempts: 11,
      responseStatus: 503,
      response: 'Later.',
    } as const
    const { id } = await prisma().webhookDelivery.create({ data: delivery })
    const { failed } = await listJobs(instanceAdmin)
    expect(failed).toMatchObject([
      {
        id,
        queue: 'webhook-delivery',
        attempts: 11,
        error: 'https://hooks.example.test/a answered 503: Later.',
      },
    ])
    expect(await queue('webhook-delivery')).toMatchObject({ failed: 1 })
    // Prevent the new delivery from being sent during the check.
    await prisma().webhook.update({ where: { id: webhook.id }, data: { disabledAt: new Date() } })
    await retryJob(instanceAdmin, id)
    await prisma().webhook.update({ where: { id: webhook.id }, data: { disabledAt: null } })
    expect(await prisma().webhookDelivery.count({ where: { eventId: delivery.eventId } })).toBe(2)
    await expect(retryJob(instanceAdmin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

it('only instance admins can list, run, and retry background jobs', async () => {
  const other = { ...instanceAdmin, instanceAdmin: false }
  for (const attempt of [listJobs(other), retryJob(other, randomUUID()), runJobNow(other, 'remove-stale')]) {
    await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
})
