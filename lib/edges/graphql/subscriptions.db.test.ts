import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { graphqlLimits } from '@/lib/base/config/limits'
import { firstIdAt } from '@/lib/base/db/paging'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { Following } from '@/lib/base/live/follow'
import { announceChange } from '@/lib/base/live/listener'
import { blockApp } from '@/lib/features/app-access/decide'
import { setPolicy } from '@/lib/features/app-access/policy'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { followEvents } from '@/lib/features/audit/list-events'
import { notify, type Recipient } from '@/lib/features/notifications/notify'
import { makeAccessToken } from '@/lib/testing/access-token'
import type { Followed } from '@/lib/testing/event-stream'
import { joinWorkspace, makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const limits = { ...graphqlLimits }
const api = serveGraphQL(limits)

const audit = `subscription ($w: ID!, $filter: AuditLogFilter, $after: ID) {
  auditLogCreated(workspaceId: $w, filter: $filter, after: $after) { id action details } }`
const notifications = 'subscription { notificationCreated { title } }'
const deliveries =
  'subscription ($id: ID!) { webhookDeliveryUpdated(webhookId: $id) { event status attempts } }'

let admin: Recipient
let w: string
let token: string
let opened: Followed[] = []

beforeEach(async () => {
  admin = await makeUser()
  w = (
    await makeWorkspace([
      [admin, 'ADMIN'],
      [await makeUser(), 'ADMIN'],
    ])
  ).id
  token = (await makeApiToken(admin)).token
})
afterEach(() => {
  for (const each of opened) each.close()
  opened = []
  limits.subscriptions = graphqlLimits.subscriptions
  setChangedSettings({})
  resetConfig()
})

const follow = async (query: string, variables?: object, as = token) => {
  const stream = await api.follow(as, query, variables)
  opened.push(stream)
  return stream
}
const create = async (name: string, as = token) => {
  const query =
    'mutation ($w: ID!, $n: String!) { projectCreate(input: { workspaceId: $w, name: $n }) { id } }'
  expect((await api.execute(as, query, { w, n: name })).errors).toBeUndefined()
}
const tell = (to: typeof admin, title: string) =>
  prisma().$transaction((tx) =>
    notify(tx, [
      {
        to,
        type: 'MEMBER_ADDED',
        words: () => ({ title, body: '' }),
        resource: { type: 'user', id: to.id },
        path: '/',
        inApp: true,
        email: false,
      },
    ]),
  )

describe('a subscription', () => {
  it('sends each event once and in order, without earlier events or events from other workspaces', async () => {
    await create('before')
    const other = await makeWorkspace([[admin, 'ADMIN']])
    const stream = await follow(audit, { w })
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await api.execute(
      token,
      `mutation { projectCreate(input: { workspaceId: "${other.id}", name: "elsewhere" }) { id } }`,
    )
    for (const name of ['one', 'two', 'three']) await create(name)
    const heard = [await stream.next(), await stream.next(), await stream.next()]
    expect(heard.map((each) => each?.event)).toEqual(['next', 'next', 'next'])
    expect(heard.map((each) => each?.data.data.auditLogCreated.details.name)).toEqual(['one', 'two', 'three'])
    expect(heard[0]?.data.extensions.traceId).toBe(stream.headers.get('x-trace-id'))
  })

  it('resumes after the last received event', async () => {
    const first = await follow(audit, { w })
    await create('one')
    const after = (await first.next())?.data.data.auditLogCreated.id
    first.close()
    await create('two')
    const second = await follow(audit, { w, after })
    expect((await second.next())?.data.data.auditLogCreated.details.name).toBe('two')
  })

  it('sends an event that was committed late, even if its ID precedes the ID of an event that was already sent', async () => {
    const stream = await follow(audit, { w })
    const late = await pool().connect()
    try {
      await late.query('BEGIN')
      await late.query(
        `INSERT INTO audit_events (id, workspace_id, actor_kind, action, resource_type, resource_id)
         VALUES ($2::uuid, $1, 'system', 'late.written', 'x', 'x')`,
        [w, firstIdAt(new Date())],
      )
      await create('sooner')
      expect((await stream.next())?.data.data.auditLogCreated.action).toBe('project.created')
      await late.query('COMMIT')
    } finally {
      late.release()
    }
    announceChange(`workspace:${w}`)
    expect((await stream.next())?.data.data.auditLogCreated.action).toBe('late.written')
  })

  it('to notifications sends only the user’s own notifications, and requires the notifications scope if an app opens it', async () => {
    const app = await makeAccessToken(admin, ['openid', 'notifications'])
    const [own, appOwn] = [await follow(notifications), await follow(notifications, {}, app.token)]
    await tell({ ...(await makeUser()) } as typeof admin, 'for another user')
    await tell(admin, 'for me')
    for (const stream of [own, appOwn]) {
      expect((await stream.next())?.data.data).toEqual({ notificationCreated: { title: 'for me' } })
    }
    const without = await makeAccessToken(admin, ['openid'])
    const refused = await follow(notifications, {}, without.token)
    expect((await refused.next())?.data.errors[0].extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'notifications',
    })
    expect((await refused.next())?.event).toBe('complete')
    expect(await refused.next()).toBeUndefined()
  })

  it('to webhook deliveries sends an event when a delivery is created and after each attempt', async () => {
    const made = await api.execute(
      token,
      `mutation { webhookCreate(input: { workspaceId: "${w}", url: "https://example.com/x", events: ["project.*"] }) { webhook { id } } }`,
    )
    const { id } = made.data.webhookCreate.webhook
    const stream = await follow(deliveries, { id })
    await create('one')
    const heard = (await stream.next())?.data.data.webhookDeliveryUpdated
    expect(heard).toEqual({ event: 'project.created', status: 'PENDING', attempts: 0 })
    await prisma().webhookDelivery.updateMany({ where: { webhookId: id }, data: { attempts: 1 } })
    announceChange(`webhook:${id}`)
    expect((await stream.next())?.data.data.webhookDeliveryUpdated).toMatchObject({
      status: 'PENDING',
      attempts: 1,
    })
    await prisma().webhookDelivery.updateMany({
      where: { webhookId: id },
      data: { attempts: 2, status: 'DELIVERED' },
    })
    announceChange(`webhook:${id}`)
    expect((await stream.next())?.data.data.webhookDeliveryUpdated).toMatchObject({ status: 'DELIVERED' })
  })

  it.each([
    [
      'its token is revoked',
      'UNAUTHENTICATED',
      () => prisma().apiToken.deleteMany({ where: { userId: admin.id } }),
    ],
    [
      'the user is suspended',
      'UNAUTHENTICATED',
      () => prisma().user.update({ where: { id: admin.id }, data: { suspendedAt: new Date() } }),
    ],
    [
      'its token expires',
      'UNAUTHENTICATED',
      () => prisma().apiToken.updateMany({ where: { userId: admin.id }, data: { expiresAt: new Date(0) } }),
    ],
    [
      'the workspace requires two-factor authentication',
      'FORBIDDEN',
      () => prisma().workspace.update({ where: { id: w }, data: { requireTwoFactor: true } }),
    ],
    [
      'the instance requires two-factor authentication',
      'TWO_FACTOR_REQUIRED',
      async () => setChangedSettings({ requireTwoFactor: 'all' }),
    ],
    [
      'all members are removed from the workspace',
      'NOT_FOUND',
      () => prisma().workspaceMember.deleteMany({ where: { workspaceId: w } }),
    ],
    ['the user loses the ADMIN role', 'FORBIDDEN', () => joinWorkspace({ id: w }, admin, 'MEMBER')],
    [
      'the user is removed from the workspace',
      'NOT_FOUND',
      () => prisma().workspaceMember.deleteMany({ where: { userId: admin.id } }),
    ],
  ])('ends automatically when %s, without sending later events', async (_what, code, lose) => {
    const stream = await follow(audit, { w })
    await lose()
    await prisma().auditEvent.create({
      data: {
        workspaceId: w,
        actorKind: 'system',
        action: 'secret.event',
        resourceType: 'x',
        resourceId: 'x',
      },
    })
    const [last, end] = [await stream.next(), await stream.next()]
    expect(last?.data.errors[0].extensions.code).toBe(code)
    expect(last?.data.data ?? null).toBeNull()
    expect([end?.event, await stream.next()]).toEqual(['complete', undefined])
  })

  it('is rejected if the token has too many open subscriptions, until one of them is closed', async () => {
    limits.subscriptions = 2
    const [first] = [await follow(audit, { w }), await follow(notifications)]
    const third = await follow(notifications)
    expect([third.status, (await third.next())?.data.errors[0].extensions.code]).toEqual([
      429,
      'RATE_LIMITED',
    ])
    first?.close()
    await expect.poll(async () => (await follow(notifications)).status).toBe(200)
  })

  it('requires Accept: text/event-stream and a token, and is rejected with an invalid event ID', async () => {
    const { status, errors } = await api.execute(token, notifications)
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
    expect(errors?.[0]?.message).toContain('text/event-stream')
    const stranger = await api.follow(undefined, notifications)
    expect([stranger.status, (await stranger.next())?.data.errors[0].extensions.code]).toEqual([
      200,
      'UNAUTHENTICATED',
    ])
    const wrong = await follow(audit, { w, after: 'nope' })
    expect((await wrong.next())?.data.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'after',
    })
    const query = await follow('{ __typename }')
    expect([query.headers.get('content-type'), (await query.next())?.data.data]).toEqual([
      'application/json; charset=utf-8',
      { __typename: 'Query' },
    ])
  })
})

describe('a subscription of an app', () => {
  const session = () =>
    ({ kind: 'session', userId: admin.id, sessionId: '', instanceAdmin: false, twoFactor: true }) as const

  it.each<[string, string, (app: { client: { id: string } }) => Promise<unknown>]>([
    ['the workspace blocks the app', 'APP_NOT_APPROVED', ({ client }) => blockApp(session(), w, client.id)],
    [
      'the workspace allows only its own apps',
      'APP_NOT_APPROVED',
      () => setPolicy(session(), w, { policy: 'OWN' }),
    ],
    [
      'the user revokes the authorization',
      'UNAUTHENTICATED',
      ({ client }) =>
        prisma().$transaction((tx) => endAuthorizations(tx, { userId: admin.id, clientId: client.id })),
    ],
    [
      'an instance admin disables the app',
      'UNAUTHENTICATED',
      ({ client }) =>
        prisma().oAuthClient.update({ where: { id: client.id }, data: { disabledAt: new Date() } }),
    ],
    [
      'the app returns to development and belongs to another workspace',
      'UNAUTHENTICATED',
      ({ client }) =>
        prisma().oAuthClient.update({ where: { id: client.id }, data: { inDevelopment: true } }),
    ],
    [
      'the user deselects the workspace',
      'RESOURCE_NOT_SHARED',
      ({ client }) =>
        prisma().authorization.updateMany({ where: { clientId: client.id }, data: { workspaceIds: [] } }),
    ],
    [
      'the app’s allowed scopes are reduced',
      'INSUFFICIENT_SCOPE',
      ({ client }) =>
        prisma().oAuthClient.update({ where: { id: client.id }, data: { allowedScopes: ['openid'] } }),
    ],
  ])('ends when %s, without sending later events', async (_what, code, lose) => {
    const app = await makeAccessToken(admin, ['workspace:admin'], { workspaces: [{ id: w }] })
    const stream = await follow(audit, { w }, app.token)
    await create('before')
    expect((await stream.next())?.data.data.auditLogCreated.details.name).toBe('before')
    await lose(app)
    await create('secret')
    const seen = []
    for (let event = await stream.next(); event; event = await stream.next()) seen.push(event)
    expect(JSON.stringify(seen)).not.toContain('secret')
    expect([seen[0]?.data.errors?.[0].extensions.code, seen.at(-1)?.event]).toEqual([code, 'complete'])
  })
})

it('a slow subscriber receives no events after losing the ADMIN role, not even events that were already read from the database', async () => {
  const actor = { kind: 'account-token', tokenId: '', userId: admin.id, role: 'ADMIN' } as const
  const following = await Following.begin(followEvents(w, {}), actor)
  for (const name of ['one', 'two', 'three']) await create(name)
  const over = new AbortController()
  const rows = following.rows(async () => actor, over.signal)
  expect((await rows.next()).value).toMatchObject({ details: { name: 'one' } })
  await joinWorkspace({ id: w }, admin, 'MEMBER')
  await expect(rows.next()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  over.abort()
})
