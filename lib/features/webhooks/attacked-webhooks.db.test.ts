import { createHmac } from 'node:crypto'
import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { acceptTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { requestTransfer } from '@/lib/features/app-transfers/request-transfer'
import { createProject } from '@/lib/features/projects/create-project'
import type { Actor } from '@/lib/policy/actor'
import { makeAccessToken } from '@/lib/testing/access-token'
import { outcomeOf } from '@/lib/testing/concurrency'
import { joinWorkspace, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './change-webhook'
import { deliver } from './deliver'
import { listDeliveries, listWebhooks } from './list-webhooks'
import { redeliver, sendTestMessage } from './redeliver'

/**
 * These tests try to forge, replay, redirect, or read webhook messages. The queue is not running, so they
 * call `deliver`.
 */
type Received = { path: string; headers: Record<string, string>; body: Buffer }

let receiver: TlsServer
let received: Received[] = []
type Respond = Parameters<typeof startOutsideServer>[0]
const accept: Respond = (_req, res) => void res.writeHead(204).end()
let respond: Respond = accept

beforeAll(async () => {
  receiver = await startOutsideServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const headers = req.headers as Record<string, string>
      received.push({ path: String(req.url), headers, body: Buffer.concat(chunks) })
      respond(req, res)
    })
  })
})
afterAll(() => receiver.close())
beforeEach(() => {
  received = []
  respond = accept
})

const session = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: id, instanceAdmin: false }) as const
const page = { limit: 50, backward: false, after: null, before: null }

async function world() {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const actor = session(user)
  const url = `${receiver.origin}/hook`
  const made = await createWebhook(actor, { workspaceId: workspace.id, url, events: ['project.*'] })
  const log = async (id = made.webhook.id) => (await listDeliveries(actor, id, page)).rows
  /** Delivers the pending messages in the order of their events. */
  const flush = async (id?: string) => {
    for (const row of (await log(id)).reverse()) await deliver(row.id, true)
  }
  return { user, workspace, actor, log, flush, ...made }
}

describe('a signature', () => {
  it('covers exactly the bytes that are sent to the receiver', async () => {
    const { actor, workspace, secret, flush } = await world()
    const names = ['Zażółć 🗝️', '</script><b>', '"\\', 'ﬁ']
    for (const name of names) await createProject(actor, { workspaceId: workspace.id, name })
    await flush()
    expect(received).toHaveLength(names.length)
    const forger = new Standard(`whsec_${Buffer.alloc(32).toString('base64')}`)
    const other = await world()
    for (const { headers, body } of received) {
      const text = body.toString()
      const {
        'webhook-id': id = '',
        'webhook-timestamp': at = '',
        'webhook-signature': signature = '',
      } = headers
      const message = new Standard(secret).verify(text, headers) as { type: string }
      expect(message.type).toBe('project.created')
      expect(Math.abs(Date.now() / 1000 - Number(at))).toBeLessThan(60)
      // The ID and the timestamp cannot contain the separator, so two different messages never have the same
      // signed content.
      expect([id, at]).toEqual([
        expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
        expect.stringMatching(/^\d{10}$/),
      ])
      const forged: [string, Record<string, string>][] = [
        [` ${text}`, headers],
        [`${text}\n`, headers],
        [JSON.stringify(JSON.parse(text), null, 1), headers],
        [text.replace('project.created', 'project.deleted'), headers],
        [text, { ...headers, 'webhook-id': `${id}0` }],
        [text, { ...headers, 'webhook-timestamp': String(Number(at) - 1) }],
        [text, { ...headers, 'webhook-timestamp': String(Number(at) - 3600) }],
        [text, { ...headers, 'webhook-timestamp': String(Number(at) + 3600) }],
        [text, { ...headers, 'webhook-signature': 'v1,' }],
        [text, { ...headers, 'webhook-signature': signature.replace('v1,', 'v1a,') }],
        [text, { ...headers, 'webhook-signature': forger.sign(id, new Date(Number(at) * 1000), text) }],
      ]
      for (const [sent, by] of forged) expect(() => new Standard(secret).verify(sent, by)).toThrow()
      expect(() => new Standard(other.secret).verify(text, headers)).toThrow()
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const own = createHmac('sha256', key).update(Buffer.concat([Buffer.from(`${id}.${at}.`), body]))
      expect(signature).toBe(`v1,${own.digest('base64')}`)
    }
  })

  it('uses two of the secrets that concurrent rotations returned, but not the original secret', async () => {
    const { actor, webhook, secret, flush } = await world()
    const rotated = await Promise.all([0, 1, 2].map(() => rotateWebhookSecret(actor, webhook.id)))
    await sendTestMessage(actor, webhook.id)
    await flush()
    const [{ headers, body }] = received as [Received]
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    const known = [secret, ...rotated.map((each) => each.secret)]
    const good = known.filter((each) => {
      try {
        return Boolean(new Standard(each).verify(body.toString(), headers))
      } catch {
        return false
      }
    })
    expect(good).toHaveLength(2)
    expect(good).not.toContain(secret)
  })

  it('is not created with a former secret that has expired, even for pending deliveries', async () => {
    const { actor, webhook, secret, log } = await world()
    respond = (_req, res) => void res.writeHead(500).end()
    await sendTestMessage(actor, webhook.id)
    const [waiting] = await log()
    await deliver(String(waiting?.id), false)
    await rotateWebhookSecret(actor, webhook.id)
    await prisma().webhook.update({
      where: { id: webhook.id },
      data: { previousSecretExpiresAt: new Date(Date.now() - 1) },
    })
    await deliver(String(waiting?.id), true)
    const [first, second] = received as [Received, Received]
    expect(new Standard(secret).verify(first.body.toString(), first.headers)).toBeTruthy()
    expect(() => new Standard(secret).verify(second.body.toString(), second.headers)).toThrow()
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  })
})

describe('the URL of a webhook', () => {
  it('receives pending messages with a valid signature after it is changed, and the former URL receives nothing', async () => {
    const { actor, webhook, workspace, secret, flush } = await world()
    await createProject(actor, { workspaceId: workspace.id, name: 'x' })
    await updateWebhook(actor, webhook.id, { url: `${receiver.origin}/new` })
    await flush()
    expect(received.map(({ path }) => path)).toEqual(['/new'])
    const [{ headers, body }] = received as [Received]
    expect(new Standard(secret).verify(body.toString(), headers)).toBeTruthy()
  })

  it('can be changed during a delivery, whose 410 response does not disable the webhook for the new URL', async () => {
    const { actor, webhook, log } = await world()
    await sendTestMessage(actor, webhook.id)
    respond = (_req, res) => {
      void updateWebhook(actor, webhook.id, { url: `${receiver.origin}/new` }).then(() =>
        res.writeHead(410).end(),
      )
    }
    const { id } = (await log())[0] as { id: string }
    await deliver(id, true)
    expect(await prisma().webhook.findUniqueOrThrow({ where: { id: webhook.id } })).toMatchObject({
      url: `${receiver.origin}/new`,
      disabledAt: null,
    })
  })

  it('is the only URL that receives messages, even if the receiver responds with a redirect', async () => {
    const { actor, webhook, log } = await world()
    for (const status of [301, 302, 303, 307, 308]) {
      respond = (_req, res) => void res.writeHead(status, { location: '/elsewhere' }).end()
      const { id } = await sendTestMessage(actor, webhook.id)
      await deliver(id, true)
    }
    expect(received.map(({ path }) => path)).toEqual(Array(5).fill('/hook'))
    expect((await log()).map(({ status }) => status)).toEqual(Array(5).fill('FAILED'))
  })
})

describe('the response of a receiver', () => {
  it('is stored as text of limited length without NUL characters', async () => {
    const { actor, webhook, log } = await world()
    const answers: [name: string, Respond][] = [
      ['nul', (_req, res) => void res.writeHead(200).end('a\0b\0')],
      [
        'bytes',
        (_req, res) => void res.writeHead(200).end(Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80, 0x61])),
      ],
      ['cut', (_req, res) => void res.writeHead(200).end(`${'a'.repeat(2_047)}€€`)],
      ['large', (_req, res) => void res.writeHead(200).end('x'.repeat(5_000_000))],
      ['script', (_req, res) => void res.writeHead(200).end('<script>alert(1)</script>')],
      ['escape', (_req, res) => void res.writeHead(200).end('\u001b[2J\u001b]0;x\u0007')],
      ['compressed', (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
      [
        'endless',
        (_req, res) => {
          const more = (): unknown => !res.destroyed && res.write('y'.repeat(65_536), more)
          more()
        },
      ],
      ['hang-up', (_req, res) => void res.destroy()],
      ['early', (_req, res) => void res.writeHead(299).end()],
    ]
    const kept: Record<string, unknown> = {}
    for (const [name, answer] of answers) {
      respond = answer
      const { id } = await sendTestMessage(actor, webhook.id)
      await deliver(id, true)
      const row = (await log()).find((each) => each.id === id)
      kept[name] = row?.status
      expect(row?.response?.length ?? 0).toBeLessThanOrEqual(2_048)
      expect(row?.response ?? '').not.toContain('\0')
    }
    expect(kept).toEqual({
      nul: 'DELIVERED',
      bytes: 'DELIVERED',
      cut: 'DELIVERED',
      large: 'DELIVERED',
      script: 'DELIVERED',
      escape: 'DELIVERED',
      compressed: 'DELIVERED',
      endless: 'DELIVERED',
      'hang-up': 'FAILED',
      early: 'DELIVERED',
    })
  })
})

describe('permissions for a webhook', () => {
  it('are limited to admins: no one else can read or change the webhook, send or redeliver messages, or rotate the secret', async () => {
    const { actor, user, webhook, workspace, log, flush } = await world()
    await sendTestMessage(actor, webhook.id)
    await flush()
    const { id } = (await log())[0] as { id: string }
    const [member, viewer, stranger] = [await makeUser(), await makeUser(), await makeUser()]
    await joinWorkspace(workspace, member, 'MEMBER')
    await joinWorkspace(workspace, viewer, 'VIEWER')
    const elsewhere = await makeWorkspace([[stranger, 'ADMIN']])
    const project = await makeProject(workspace, [[stranger, 'ADMIN']])
    const token = (more: object) => ({ userId: user.id, tokenId: user.id, twoFactor: true, ...more }) as Actor
    const { authorization, client } = await makeAccessToken(user, ['workspace:member'], {
      workspaces: [workspace],
    })
    const app = (scopes: string[], workspaceIds: string[]) =>
      ({
        kind: 'oauth',
        userId: user.id,
        clientId: client.id,
        appWorkspaceId: null,
        authorizationId: authorization.id,
        scopes: new Set(scopes),
        workspaceIds,
        projectIds: [project.id],
        twoFactor: true,
      }) as unknown as Actor
    const others: Actor[] = [
      session(member),
      session(viewer),
      session(stranger),
      token({ kind: 'account-token', role: 'MEMBER' }),
      token({ kind: 'workspace-token', workspaceId: workspace.id, role: 'MEMBER' }),
      token({ kind: 'workspace-token', workspaceId: elsewhere.id, role: 'ADMIN' }),
      token({ kind: 'project-token', projectId: project.id, environmentId: null, role: 'ADMIN' }),
      app(['workspace:member', 'project:admin'], [workspace.id]),
      app(['workspace:admin'], [elsewhere.id]),
      app(['openid', 'email'], [workspace.id]),
    ]
    const acts: ((by: Actor) => Promise<unknown>)[] = [
      (by) => listWebhooks(by, workspace.id),
      (by) => listDeliveries(by, webhook.id, page),
      (by) => redeliver(by, id),
      (by) => sendTestMessage(by, webhook.id),
      (by) => rotateWebhookSecret(by, webhook.id),
      (by) => updateWebhook(by, webhook.id, { url: `${receiver.origin}/mine` }),
      (by) => updateWebhook(by, webhook.id, { enabled: false }),
      (by) => deleteWebhook(by, webhook.id),
      (by) =>
        createWebhook(by, {
          workspaceId: workspace.id,
          url: `${receiver.origin}/mine`,
          events: ['member.*'],
        }),
    ]
    received = []
    for (const by of others)
      for (const act of acts) {
        expect(['FORBIDDEN', 'NOT_FOUND', 'INSUFFICIENT_SCOPE', 'RESOURCE_NOT_SHARED']).toContain(
          await outcomeOf(act(by)),
        )
      }
    expect(await log()).toHaveLength(1)
    expect(await prisma().webhook.findUniqueOrThrow({ where: { id: webhook.id } })).toMatchObject({
      url: webhook.url,
      disabledAt: null,
      sealedPreviousSecret: null,
    })
  })

  it('move with the app, and the former admins receive no more messages, not even pending ones', async () => {
    const { actor, workspace } = await world()
    const { client } = await makeClient(workspace)
    const url = `${receiver.origin}/former`
    const { webhook } = await createWebhook(actor, {
      workspaceId: workspace.id,
      clientId: client.id,
      url,
      events: ['app.*'],
    })
    const waiting = await sendTestMessage(actor, webhook.id)
    const buyer = await makeUser()
    const to = await makeWorkspace([[buyer, 'ADMIN']])
    await requestTransfer(actor, client.id, { workspace: to.id })
    await acceptTransfer(session(buyer), client.id)
    await deliver(waiting.id, true)
    expect(received).toEqual([])
    for (const act of [
      () => redeliver(actor, waiting.id),
      () => sendTestMessage(actor, webhook.id),
      () => rotateWebhookSecret(actor, webhook.id),
      () => updateWebhook(actor, webhook.id, { enabled: true }),
      () => listDeliveries(actor, webhook.id, page),
      () => listWebhooks(session(buyer), workspace.id, client.id),
    ]) {
      expect(await outcomeOf(act())).toBe('NOT_FOUND')
    }
    expect(await outcomeOf(sendTestMessage(session(buyer), webhook.id))).toBe('CONFLICT')
  })

  it('do not allow a pending message to be sent after the webhook is disabled or deleted, even if it is enabled again', async () => {
    const { actor, webhook } = await world()
    const one = await sendTestMessage(actor, webhook.id)
    await updateWebhook(actor, webhook.id, { enabled: false })
    await deliver(one.id, true)
    await updateWebhook(actor, webhook.id, { enabled: true })
    // The failed delivery is not attempted again.
    await deliver(one.id, true)
    const two = await sendTestMessage(actor, webhook.id)
    await deleteWebhook(actor, webhook.id)
    await deliver(two.id, true)
    expect(received).toEqual([])
  })
})
