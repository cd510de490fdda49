import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { runShutdownTasks } from '@/lib/base/process/background'
import { logoutJob, logoutQueue } from '@/lib/features/apps/activity/back-channel-logout'
import { createStream } from '@/lib/features/audit-streams/change-stream'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import { addDeliveries } from '@/lib/features/webhooks/queue-deliveries'
import { inBrowser } from '@/lib/testing/audit-receiver'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'
import { startJobs } from './jobs'

let server: TlsServer
/** The requests that the receiver never answers, and the paths of the requests that it answers. */
let hanging: ServerResponse[] = []
const answered: string[] = []
const at = (host: 'localhost' | '127.0.0.1', path: string) => `https://${host}:${server.port}${path}`

beforeAll(async () => {
  server = await startOutsideServer((req, res) => {
    if (req.url?.startsWith('/hangs')) return void hanging.push(res)
    answered.push(String(req.url))
    res.writeHead(204).end()
  })
  await startJobs(async ({ clientId }) => ({ address: clientId, token: 'a.logout.token' }))
}, 60_000)
afterAll(async () => {
  for (const response of hanging) response.destroy()
  await runShutdownTasks()
  await server.close()
})

async function world() {
  const { id: userId } = await makeUser()
  const workspace = await makeWorkspace([[{ id: userId }, 'ADMIN']])
  return { actor: inBrowser(userId), workspaceId: workspace.id }
}

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))

it('a webhook whose receiver hangs does not delay other webhooks', async () => {
  hanging = []
  const { actor, workspaceId } = await world()
  const events = ['project.*']
  const create = (url: string) => createWebhook(actor, { workspaceId, url, events })
  const slow = (await create(at('127.0.0.1', '/hangs'))).webhook
  const healthy = (await create(at('localhost', '/webhook'))).webhook
  const message = (webhook: typeof slow) => ({
    webhook,
    eventId: randomUUID(),
    event: 'project.created',
    payload: {},
  })
  await prisma().$transaction((tx) =>
    addDeliveries(
      tx,
      times(60, () => message(slow)),
    ),
  )
  await vi.waitFor(() => expect(hanging).toHaveLength(4))
  await prisma().$transaction((tx) =>
    addDeliveries(
      tx,
      times(6, () => message(healthy)),
    ),
  )
  await vi.waitFor(() => expect(answered.filter((path) => path === '/webhook')).toHaveLength(6))
  expect(hanging.filter(({ destroyed }) => !destroyed)).toHaveLength(4)
  const left = await prisma().webhookDelivery.count({ where: { webhookId: slow.id, status: 'PENDING' } })
  expect(left).toBe(60)
  await prisma().webhook.delete({ where: { id: slow.id } })
  for (const response of hanging) response.destroy()
})

it('an app that does not respond to back-channel logout does not delay other apps', async () => {
  hanging = []
  const job = (address: string) =>
    logoutJob(randomUUID(), address, {
      signIn: { clientId: address, userId: randomUUID(), sid: randomUUID() },
    })
  await insertJobs(
    prisma(),
    logoutQueue,
    times(60, () => job(at('127.0.0.1', '/hangs/logout'))),
  )
  await vi.waitFor(() => expect(hanging).toHaveLength(4))
  await insertJobs(
    prisma(),
    logoutQueue,
    times(6, () => job(at('localhost', '/logout'))),
  )
  await vi.waitFor(() => expect(answered.filter((path) => path === '/logout')).toHaveLength(6))
  expect(hanging.filter(({ destroyed }) => !destroyed)).toHaveLength(4)
  await prisma().$executeRaw`DELETE FROM pgboss.job WHERE name = ${logoutQueue}`
  for (const response of hanging) response.destroy()
})

it('audit streams whose receivers hang do not delay other streams', async () => {
  hanging = []
  for (let made = 0; made < 25; made++) {
    const { actor, workspaceId } = await world()
    await createStream(actor, { workspaceId }, { url: at('localhost', `/hangs/${made}`) })
  }
  await vi.waitFor(() => expect(hanging.length).toBeGreaterThan(0))
  const { actor, workspaceId } = await world()
  await createStream(actor, { workspaceId }, { url: at('127.0.0.1', '/stream') })
  await vi.waitFor(() => expect(answered).toContain('/stream'))
  expect(hanging.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0)
})
