import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { parsePage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { Following } from '@/lib/base/live/follow'
import type { SessionActor } from '@/lib/policy/actor'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { exportEvents } from './export-events'
import { followEvents, listEvents } from './list-events'
import { recordEvent } from './record-event'
import { currentAction } from './renamed-actions'

const direct = new pg.Client({ connectionString: config().DATABASE_URL })
beforeAll(() => direct.connect())
afterAll(() => direct.end())

const waiting = async () =>
  (await direct.query(`SELECT 1 FROM pg_locks WHERE relation = 'audit_events'::regclass AND NOT granted`))
    .rows.length

it('an audit log subscription fails if the user loses the ADMIN role while the next event is being read', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const tell = (action: string) =>
    prisma().auditEvent.create({
      data: { workspaceId: workspace.id, actorKind: 'system', action, resourceType: 'x', resourceId: 'x' },
    })
  const actor: SessionActor = {
    kind: 'session',
    userId: user.id,
    sessionId: randomUUID(),
    instanceAdmin: false,
  }
  const begin = async () => {
    const following = await Following.begin(followEvents(workspace.id, {}), actor)
    return following.rows(async () => actor, new AbortController().signal)
  }
  const [allowed, late] = [await begin(), await begin()]
  await tell('first.event')
  expect((await allowed.next()).value).toMatchObject({ action: 'first.event' })
  await allowed.return()

  await tell('secret.event')
  await direct.query('BEGIN')
  await direct.query('LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE')
  const refused = expect(late.next()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  while ((await waiting()) === 0);
  await joinWorkspace(workspace, user, 'MEMBER')
  await direct.query('ROLLBACK')
  await refused
})

it('listEvents finds events by an action’s current name even if they were recorded under its former name', async () => {
  const admin = await makeUser()
  const { id: workspaceId } = await makeWorkspace([[admin, 'ADMIN']])
  for (const action of ['oauth_app.offered', 'oauth_app.transfer_requested', 'oauth_app.transferred']) {
    await prisma().auditEvent.create({
      data: { workspaceId, actorKind: 'system', action, resourceType: 'oauth_app', resourceId: 'x' },
    })
  }
  const actor: SessionActor = {
    kind: 'session',
    userId: admin.id,
    sessionId: randomUUID(),
    instanceAdmin: false,
  }
  const filter = { action: 'oauth_app.transfer_requested' }
  const { rows } = await listEvents(actor, workspaceId, filter, parsePage({ first: 10 }))
  expect(rows.map(({ action }) => action).sort()).toEqual([
    'oauth_app.offered',
    'oauth_app.transfer_requested',
  ])
  expect(rows.map(({ action }) => currentAction(action))).toEqual([filter.action, filter.action])
})

it('an export ends with NOT_FOUND if its reader has lost access to the workspace', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const actor = { kind: 'session', userId: user.id, sessionId: 's', instanceAdmin: false } as const
  const { text } = await exportEvents(actor, workspace.id, {}, 'csv')
  await recordEvent(prisma(), actor, {
    action: 'workspace.updated',
    resource: { type: 'workspace', id: workspace.id },
    workspaceId: workspace.id,
  })
  expect((await text.next()).value).toContain('createdAt')
  await prisma().workspaceMember.deleteMany({ where: { workspaceId: workspace.id } })
  await expect(text.next()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
