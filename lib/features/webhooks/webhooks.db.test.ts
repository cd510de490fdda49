import type PgBoss from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { createProject } from '@/lib/features/projects/create-project'
import type { Actor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { createWebhook, rotateWebhookSecret, updateWebhook } from './change-webhook'
import { listDeliveries } from './list-webhooks'
import { redeliver, sendTestMessage } from './redeliver'

type Received = { headers: Record<string, string>; body: string }

let receiver: TlsServer
let received: Received[] = []
let answer = { status: 204, body: '' }
let closeGuard: () => void
let jobs: PgBoss

beforeAll(async () => {
  receiver = await startTlsServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      received.push({ headers: req.headers as Record<string, string>, body })
      res.writeHead(answer.status).end(answer.body)
    })
  })
  closeGuard = allowOutboundForTests({ networks: ['127.0.0.0/8'], ports: [receiver.port], ca: receiver.ca })
  jobs = await startJobs(makeLogoutToken)
}, 60_000)

afterAll(async () => {
  closeGuard()
  await runShutdownTasks()
  await receiver.close()
})

beforeEach(() => {
  received = []
  answer = { status: 204, body: '' }
})

const world = async (events: string[]) => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const actor: Actor = { kind: 'account-token', userId: user.id, tokenId: 't', role: 'ADMIN' }
  const url = `${receiver.origin}/hook`
  const made = await createWebhook(actor, { workspaceId: workspace.id, url, events })
  return { user, workspace, actor, ...made }
}

const page = { limit: 10, backward: false, after: null, before: null }
const eventually = <T>(look: () => Promise<T> | T) => vi.waitFor(look, { timeout: 15_000, interval: 100 })

describe('webhooks', () => {
  it('receive subscribed events with signatures that the Standard Webhooks library can verify', async () => {
    const { actor, workspace, secret, webhook } = await world(['project.*'])
    const project = await createProject(actor, { workspaceId: workspace.id, name: 'Website' })
    await eventually(() => expect(received).toHaveLength(1))
    const [{ headers, body }] = received as [Received]
    const message = new Webhook(secret).verify(body, headers)
    expect(message).toMatchObject({
      type: 'project.created',
      data: {
        workspaceId: workspace.id,
        resource: { type: 'project', id: project.id },
        details: { name: 'Website' },
      },
    })
    expect(() => new Webhook(secret).verify(body.replace('Website', 'Other'), headers)).toThrow()
    await eventually(async () => {
      const { rows } = await listDeliveries(actor, webhook.id, page)
      expect(rows).toMatchObject([{ status: 'DELIVERED', attempts: 1, responseStatus: 204 }])
    })
    expect(JSON.stringify(await prisma().webhook.findMany())).not.toContain(secret)
  })

  it('receive an event without the IDs of other workspaces when an app’s access is revoked', async () => {
    const { user, workspace } = await world(['app.revoked'])
    const elsewhere = await makeWorkspace([[user, 'ADMIN']])
    const { authorization } = await makeAccessToken(user, ['workspace:viewer'], {
      workspaces: [workspace, elsewhere],
    })
    await revokeAuthorization(
      { kind: 'account-token', userId: user.id, tokenId: 't', role: 'ADMIN' },
      authorization.id,
    )
    await eventually(() => expect(received).toHaveLength(1))
    expect(JSON.parse(received[0]?.body ?? '').type).toBe('app.revoked')
    expect(received[0]?.body).not.toContain(elsewhere.id)
  })

  it('receive a failed message again with the same ID, and the delivery log shows the receiver’s response', async () => {
    answer = { status: 500, body: 'not now' }
    const { actor, workspace, webhook } = await world(['project.created'])
    await createProject(actor, { workspaceId: workspace.id, name: 'x' })
    await eventually(async () => {
      const { rows } = await listDeliveries(actor, webhook.id, page)
      expect(rows).toMatchObject([
        { status: 'PENDING', attempts: 1, responseStatus: 500, response: 'not now' },
      ])
    })
    answer = { status: 200, body: '' }
    const [delivery] = (await listDeliveries(actor, webhook.id, page)).rows
    // The queue would start this job in ten seconds. Start it immediately.
    await eventually(async () => {
      const job = await jobs.getJobById('webhook-delivery', String(delivery?.id))
      expect(job).toMatchObject({ state: 'retry', retryCount: 0, retryLimit: 10 })
    })
    await prisma().$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE id = ${delivery?.id}::uuid`
    await eventually(() => expect(received).toHaveLength(2))
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id'])
    await eventually(async () => {
      const { rows } = await listDeliveries(actor, webhook.id, page)
      expect(rows).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
    })
  })

  it('receive a redelivered message with the same ID', async () => {
    const { actor, workspace, webhook } = await world(['project.created'])
    await createProject(actor, { workspaceId: workspace.id, name: 'x' })
    await eventually(() => expect(received).toHaveLength(1))
    const [delivery] = (await listDeliveries(actor, webhook.id, page)).rows
    await redeliver(actor, String(delivery?.id))
    await eventually(() => expect(received).toHaveLength(2))
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id'])
    const stranger: Actor = {
      kind: 'account-token',
      userId: (await makeUser()).id,
      tokenId: 't',
      role: 'ADMIN',
    }
    await expect(redeliver(stranger, String(delivery?.id))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await updateWebhook(actor, webhook.id, { enabled: false })
    await expect(redeliver(actor, String(delivery?.id))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('receive messages that are also signed with the former secret until it expires or the secret is rotated again', async () => {
    const { actor, webhook, secret } = await world(['project.created'])
    const { secret: second } = await rotateWebhookSecret(actor, webhook.id)
    await sendTestMessage(actor, webhook.id)
    await eventually(() => expect(received).toHaveLength(1))
    const [{ headers, body }] = received as [Received]
    for (const known of [secret, second]) {
      expect(new Webhook(known).verify(body, headers)).toMatchObject({
        type: 'webhook.test',
        data: { resource: { type: 'webhook', id: webhook.id } },
      })
    }
    const { secret: third } = await rotateWebhookSecret(actor, webhook.id)
    await sendTestMessage(actor, webhook.id)
    await eventually(() => expect(received).toHaveLength(2))
    const after = received[1] as Received
    expect(() => new Webhook(secret).verify(after.body, after.headers)).toThrow()
    expect(new Webhook(second).verify(after.body, after.headers)).toBeTruthy()

    await prisma().webhook.update({
      where: { id: webhook.id },
      data: { previousSecretExpiresAt: new Date() },
    })
    await sendTestMessage(actor, webhook.id)
    await eventually(() => expect(received).toHaveLength(3))
    const last = received[2] as Received
    expect(() => new Webhook(second).verify(last.body, last.headers)).toThrow()
    expect(new Webhook(third).verify(last.body, last.headers)).toBeTruthy()
  })

  it('receive no test messages while they are disabled', async () => {
    const { actor, webhook } = await world(['project.created'])
    await updateWebhook(actor, webhook.id, { enabled: false })
    await expect(sendTestMessage(actor, webhook.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await listDeliveries(actor, webhook.id, page)).rows).toEqual([])
  })

  it('are disabled by a 410 response until an admin enables them', async () => {
    answer = { status: 410, body: '' }
    const { actor, workspace, webhook } = await world(['project.created'])
    await createProject(actor, { workspaceId: workspace.id, name: 'x' })
    await eventually(async () => {
      const row = await prisma().webhook.findUniqueOrThrow({ where: { id: webhook.id } })
      expect(row.disabledAt).not.toBeNull()
    })
    await createProject(actor, { workspaceId: workspace.id, name: 'y' })
    expect((await listDeliveries(actor, webhook.id, page)).rows).toHaveLength(1)
    expect((await updateWebhook(actor, webhook.id, { enabled: true })).disabledAt).toBeNull()
  })

  it('receive no event for a request that fails', async () => {
    const { actor, workspace, webhook } = await world(['project.created'])
    await expect(createProject(actor, { workspaceId: workspace.id, name: '' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    expect((await listDeliveries(actor, webhook.id, page)).rows).toEqual([])
  })

  it('are recorded in the audit log without the query string of their URL, which can contain a token', async () => {
    const { actor, workspace, webhook } = await world(['project.*'])
    const url = `${receiver.origin}/hook?token=of-the-receiver`
    await updateWebhook(actor, webhook.id, { url })
    await rotateWebhookSecret(actor, webhook.id)
    const recorded = await prisma().auditEvent.findMany({ where: { workspaceId: workspace.id } })
    expect(recorded.filter(({ details }) => JSON.stringify(details).includes('/hook?…'))).toHaveLength(2)
    expect(JSON.stringify(recorded)).not.toContain('of-the-receiver')
  })

  it.each([
    ['http://example.com/', 'plain http'],
    ['https://127.0.0.2:8443/', 'another port'],
    ['https://169.254.169.254/latest/meta-data', 'a private address'],
    ['https://10.0.0.1/', 'a private address'],
    ['https://user:password@example.com/', 'credentials'],
    ['nonsense', 'not a URL'],
  ])('cannot have the URL %s (%s)', async (url) => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const actor: Actor = { kind: 'account-token', userId: user.id, tokenId: 't', role: 'ADMIN' }
    await expect(
      createWebhook(actor, { workspaceId: workspace.id, url, events: ['project.*'] }),
    ).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'url' },
    })
  })
})
