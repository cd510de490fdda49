import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { endConnections, pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { schedule } from '@/lib/base/jobs/schedule'
import { runShutdownTasks } from '@/lib/base/process/background'
import { listJobs } from '@/lib/features/instance-admin/jobs'
import { createProject } from '@/lib/features/projects/create-project'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import type { Actor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'
import { answerCron } from './run-due-jobs'

const secret = 'a-secret-of-the-scheduler'
const visit = (authorization?: string) =>
  answerCron(new Request('http://localhost/api/cron', authorization ? { headers: { authorization } } : {}))

let receiver: TlsServer
let received: string[] = []
beforeAll(async () => {
  receiver = await startOutsideServer((req, res) => {
    received.push(String(req.headers['webhook-id']))
    res.writeHead(204).end()
  })
})
beforeEach(() => {
  vi.stubEnv('CRON_SECRET', secret)
  resetConfig()
  received = []
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await runShutdownTasks()
  await receiver.close()
})

it('/api/cron returns 404 if no secret is configured, and 401 to requests without the configured secret', async () => {
  expect((await visit()).status).toBe(401)
  expect((await visit(secret)).status).toBe(401)
  expect((await visit(`Bearer ${secret}x`)).status).toBe(401)
  const refused = await visit('Bearer wrong')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  vi.stubEnv('CRON_SECRET', '')
  resetConfig()
  expect((await visit('Bearer ')).status).toBe(404)
  expect((await visit('Bearer undefined')).status).toBe(404)
})

it('/api/cron runs each due or waiting job only once, even if two calls run concurrently', async () => {
  const { id: userId } = await makeUser({ instanceAdmin: true })
  const { id: workspaceId } = await makeWorkspace([[{ id: userId }, 'ADMIN']])
  const actor: Actor = { kind: 'account-token', userId, tokenId: 't', role: 'ADMIN' }
  const webhook = { workspaceId, url: `${receiver.origin}/hook`, events: ['project.*'] }
  await createWebhook(actor, webhook)
  const make = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        createProject(actor, { workspaceId, name: `P${i} ${randomUUID()}` }),
      ),
    )

  // Record an event before the queue exists.
  await make(1)
  const first = await visit(`Bearer ${secret}`)
  expect([first.status, await first.json()]).toEqual([200, { status: 'done', waiting: 0 }])
  expect(received).toHaveLength(1)
  const instanceAdmin: Actor = { kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: true }
  const runs = async () => {
    const { queues } = await listJobs(instanceAdmin)
    return new Map(queues.map(({ name, last }) => [name, last]))
  }
  for (const name of Object.keys(schedule)) expect((await runs()).get(name)).toMatchObject({ failed: false })

  await make(25)
  const daily = (await runs()).get('remove-stale')
  const both = await Promise.all([visit(`Bearer ${secret}`), visit(`Bearer ${secret}`)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  // Each call ends when no work is waiting to start. The results of work that the other call started are
  // stored a moment later.
  const delivered = () => prisma().webhookDelivery.count({ where: { status: 'DELIVERED' } })
  await expect.poll(delivered).toBe(26)
  expect(received).toHaveLength(26)
  expect(new Set(received).size).toBe(26)
  // The daily job has already run, so it did not run again.
  expect((await runs()).get('remove-stale')).toEqual(daily)
}, 60_000)

it('/api/cron runs the unfinished jobs of a serverless function that ended unexpectedly', async () => {
  await pool().query(
    `INSERT INTO pgboss.job (name, state, started_on, expire_in, retry_limit)
     VALUES ('forget-deliveries', 'active', now() - interval '1 hour', interval '15 minutes', 2)`,
  )
  expect((await visit(`Bearer ${secret}`)).status).toBe(200)
  const { rows } = await pool().query(
    "SELECT state FROM pgboss.job WHERE name = 'forget-deliveries' AND state <> 'completed'",
  )
  expect(rows).toEqual([])
}, 60_000)

it('/api/cron stores the results of completed jobs before it responds', async () => {
  const [shared, query] = [pool(), pool().query.bind(pool()) as (...all: unknown[]) => Promise<unknown>]
  const slow = async (...all: unknown[]) => {
    if (/state = 'completed'/.test(String(all[0]))) await new Promise((done) => setTimeout(done, 1_000))
    return query(...all)
  }
  const spy = vi.spyOn(shared, 'query').mockImplementation(slow as typeof shared.query)
  try {
    await pool().query("INSERT INTO pgboss.job (name) VALUES ('forget-deliveries')")
    expect((await visit(`Bearer ${secret}`)).status).toBe(200)
  } finally {
    spy.mockRestore()
  }
  const { rows } = await pool().query(
    "SELECT state FROM pgboss.job WHERE name = 'forget-deliveries' AND state <> 'completed'",
  )
  expect(rows).toEqual([])
}, 60_000)

it('/api/cron returns an error to the scheduler if the database is unavailable', async () => {
  await endConnections()
  const answer = await visit(`Bearer ${secret}`)
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'failed', reason: 'see the log' }])
})
