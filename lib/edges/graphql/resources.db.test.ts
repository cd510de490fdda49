import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { warnOfExpiry } from '@/lib/features/notifications/warn-of-expiry'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Environments, variables, notifications, sessions, and the audit log. */
const api = serveGraphQL()

const tokenOf = async (user: { id: string }) => (await makeApiToken(user)).token
const run = async (token: string, query: string, variables?: object) => {
  const { data, errors } = await api.execute(token, query, variables)
  return errors ? String(errors[0]?.extensions.code) : data
}

describe('variables', () => {
  const create =
    'mutation ($p: ID!, $name: String!) { environmentCreate(input: { projectId: $p, name: $name }) { id } }'
  const set = `mutation ($e: ID!, $name: String!, $value: String!) {
    variableUpsert(input: { environmentId: $e, name: $name, value: $value }) { name } }`
  const list = 'query ($e: ID!) { variables(environmentId: $e) { edges { node { name value } } } }'

  it('have values that members but not viewers can read, and that are not stored in the history', async () => {
    const [member, viewer, stranger] = [await makeUser(), await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [member, 'MEMBER'],
      [viewer, 'VIEWER'],
    ])
    const project = await makeProject(workspace)
    const [asMember, asViewer] = [await tokenOf(member), await tokenOf(viewer)]
    const e = (await run(asMember, create, { p: project.id, name: 'production' })).environmentCreate.id
    expect(await run(asMember, create, { p: project.id, name: 'production' })).toBe('CONFLICT')
    expect(await run(asViewer, create, { p: project.id, name: 'x' })).toBe('FORBIDDEN')
    expect(await run(asMember, set, { e, name: 'SECRET', value: 'first-value' })).toEqual({
      variableUpsert: { name: expect.any(String) },
    })
    expect(await run(asMember, set, { e, name: 'SECRET', value: 'hunter-2' })).toEqual({
      variableUpsert: { name: expect.any(String) },
    })
    expect(await run(asMember, list, { e })).toEqual({
      variables: { edges: [{ node: { name: 'SECRET', value: 'hunter-2' } }] },
    })
    const seen = await api.execute(asViewer, list, { e })
    expect(seen.data.variables.edges).toEqual([{ node: { name: 'SECRET', value: null } }])
    expect(seen.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect(await run(await tokenOf(stranger), list, { e })).toBe('NOT_FOUND')
    expect(await run(asViewer, set, { e, name: 'X', value: 'x' })).toBe('FORBIDDEN')
    expect(await run(asMember, set, { e, name: '1X', value: 'x' })).toBe('BAD_USER_INPUT')
    const drop = 'mutation ($e: ID!) { variableDelete(input: { environmentId: $e, name: "SECRET" }) }'
    expect(await run(asMember, drop, { e })).toEqual({ variableDelete: true })
    expect(await run(asMember, drop, { e })).toBe('NOT_FOUND')

    const changes = `{ variableChanges(environmentId: "${e}") { edges { node { name action userId actorKind } } } }`
    const history = (await run(asViewer, changes)).variableChanges.edges.map(
      (edge: { node: object }) => edge.node,
    )
    expect(history).toEqual(
      ['DELETED', 'UPDATED', 'CREATED'].map((action) => ({
        name: 'SECRET',
        action,
        userId: member.id,
        actorKind: 'ACCOUNT_TOKEN',
      })),
    )
    for (const rows of [await prisma().variableChange.findMany(), await prisma().auditEvent.findMany()]) {
      expect(JSON.stringify(rows)).not.toMatch(/hunter-2|first-value/)
    }
  })

  it('are encrypted in the database', async () => {
    const user = await makeUser()
    const project = await makeProject(await makeWorkspace([[user, 'MEMBER']]))
    const token = await tokenOf(user)
    const e = (await run(token, create, { p: project.id, name: 'x' })).environmentCreate.id
    await run(token, set, { e, name: 'A', value: 'plain-to-see' })
    const row = await prisma().variable.findFirstOrThrow({ where: { environmentId: e } })
    expect(Buffer.from(row.sealedValue).toString('latin1')).not.toContain('plain-to-see')
  })
})

describe('notifications', () => {
  const list = '{ notifications { edges { node { id type title readAt } } } notificationsUnread }'
  const typesOf = async (token: string) =>
    (await run(token, list)).notifications.edges.map((edge: { node: { type: string } }) => edge.node.type)

  it('report the reuse of a refresh token', async () => {
    const user = await makeUser()
    const { authorization } = await makeAccessToken(user, ['openid'])
    await revokeForReuse(authorization.id)
    expect(await typesOf(await tokenOf(user))).toEqual(['TOKEN_REUSED'])
  })

  it('about an expiring token are sent only once and can be marked as read only by their recipient', async () => {
    const user = await makeUser()
    const token = await tokenOf(user)
    await makeApiToken(user, { expiresAt: new Date(Date.now() + 86_400_000) })
    await makeApiToken(user, { expiresAt: new Date(Date.now() + 30 * 86_400_000) })
    await warnOfExpiry()
    await warnOfExpiry()
    expect(await typesOf(token)).toEqual(['TOKEN_EXPIRING'])
    const { id } = (await run(token, list)).notifications.edges[0].node
    const several = 'mutation ($ids: [ID!]!) { notificationsMarkRead(ids: $ids) }'
    const others = await tokenOf(await makeUser())
    expect(await run(others, several, { ids: [id] })).toEqual({ notificationsMarkRead: 0 })
    expect(await run(token, several, { ids: Array.from({ length: 101 }, () => id) })).toBe('BAD_USER_INPUT')
    expect(await run(token, several, { ids: [id, 'nope', user.id] })).toEqual({ notificationsMarkRead: 1 })
    expect(await run(token, several, { ids: [id] })).toEqual({ notificationsMarkRead: 0 })
    await prisma().notification.updateMany({ data: { readAt: null } })
    const mark = 'mutation ($id: ID!) { notificationMarkRead(id: $id) { readAt } }'
    expect(await run(await tokenOf(await makeUser()), mark, { id })).toBe('NOT_FOUND')
    expect((await run(token, mark, { id })).notificationMarkRead.readAt).not.toBeNull()
    expect((await run(token, list)).notificationsUnread).toBe(0)
    expect(
      (await run(token, '{ notifications(unreadOnly: true) { edges { cursor } } }')).notifications.edges,
    ).toEqual([])
  })

  it('are visible to apps with access to their workspace, but without a new member’s email address', async () => {
    const admin = await makeUser()
    const workspace = await makeWorkspace([[admin, 'ADMIN']])
    const invite = `mutation { workspaceInvitationCreate(input: { workspaceId: "${workspace.id}", email: "x@example.com", role: VIEWER }) { link } }`
    const { link } = (await run(await tokenOf(admin), invite)).workspaceInvitationCreate
    const accept = 'mutation ($t: String!) { workspaceInvitationAccept(token: $t) { id } }'
    const newcomer = await makeUser()
    await run(await tokenOf(newcomer), accept, { t: link.split('/').at(-1) })
    const read = '{ notifications { edges { node { id type title body } } } notificationsUnread }'
    const resourcesFor = async (scopes: string[], workspaces: { id: string }[] = []) => {
      const { token } = await makeAccessToken(admin, ['openid', 'notifications', ...scopes], { workspaces })
      return { token, seen: await run(token, read) }
    }
    const elsewhere = await makeWorkspace([[admin, 'ADMIN']])
    for (const app of [
      await resourcesFor([]),
      await resourcesFor(['workspace:admin'], [elsewhere]),
      await resourcesFor(['project:admin'], [workspace]),
    ]) {
      expect(app.seen).toEqual({ notifications: { edges: [] }, notificationsUnread: 0 })
      const { id } = await prisma().notification.findFirstOrThrow({ where: { userId: admin.id } })
      const mark = 'mutation ($id: ID!) { notificationMarkRead(id: $id) { id } }'
      expect(await run(app.token, mark, { id })).toBe('NOT_FOUND')
      expect(await run(app.token, `mutation { notificationsMarkRead(ids: ["${id}"]) }`)).toEqual({
        notificationsMarkRead: 0,
      })
    }
    const { seen } = await resourcesFor(['workspace:viewer'], [workspace])
    expect(seen.notifications.edges).toMatchObject([{ node: { type: 'MEMBER_ADDED' } }])
    expect(JSON.stringify(seen)).not.toContain(newcomer.email)

    // If the workspace requires two-factor authentication, a token without it cannot read the notification.
    await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: true } })
    const { token: weak } = await makeApiToken(admin)
    const { token: strong } = await makeApiToken(admin, { twoFactor: true })
    expect((await run(weak, read)).notificationsUnread).toBe(0)
    expect((await run(strong, read)).notificationsUnread).toBe(1)
  })

  it('follow each user’s rules for the workspace', async () => {
    const [admin, other] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [admin, 'ADMIN'],
      [other, 'ADMIN'],
    ])
    const [asAdmin, asOther] = [await tokenOf(admin), await tokenOf(other)]
    const rule = `mutation { notificationRuleUpdate(input: { workspaceId: "${workspace.id}", type: MEMBER_ADDED, inApp: false, email: false }) { inApp } }`
    await run(asOther, rule)
    expect(
      (await run(asOther, `{ notificationRules(workspaceId: "${workspace.id}") { type inApp email } }`))
        .notificationRules,
    ).toEqual([
      { type: 'APP_AUTHORIZED', inApp: true, email: false },
      { type: 'MEMBER_ADDED', inApp: false, email: false },
    ])
    const invite = `mutation { workspaceInvitationCreate(input: { workspaceId: "${workspace.id}", email: "x@example.com", role: VIEWER }) { link } }`
    const { link } = (await run(asAdmin, invite)).workspaceInvitationCreate
    const accept = 'mutation ($t: String!) { workspaceInvitationAccept(token: $t) { id } }'
    await run(await tokenOf(await makeUser()), accept, { t: link.split('/').at(-1) })
    expect(await typesOf(asAdmin)).toEqual(['MEMBER_ADDED'])
    expect(await typesOf(asOther)).toEqual([])
  })

  it('are available to apps only with the notifications scope', async () => {
    const user = await makeUser()
    expect(await run((await makeAccessToken(user, ['openid'])).token, list)).toBe('INSUFFICIENT_SCOPE')
    expect(await run((await makeAccessToken(user, ['notifications'])).token, list)).toHaveProperty(
      'notifications',
    )
  })
})

describe('sessions', () => {
  it('can be listed and ended by their user, but not ended by apps or other users', async () => {
    const user = await makeUser()
    const expiresAt = new Date(Date.now() + 86_400_000)
    const { id } = await prisma().session.create({ data: { userId: user.id, methods: ['pwd'], expiresAt } })
    const token = await tokenOf(user)
    const list = '{ sessions { nodes { id } } }'
    const end = `mutation { sessionDelete(id: "${id}") }`
    expect(await run(token, list)).toEqual({ sessions: { nodes: [{ id }] } })
    expect(await run((await makeAccessToken(user, ['openid', 'profile'])).token, end)).toBe('FORBIDDEN')
    expect(await run(await tokenOf(await makeUser()), end)).toBe('NOT_FOUND')
    expect(await run(token, end)).toEqual({ sessionDelete: true })
    expect(await run(token, list)).toEqual({ sessions: { nodes: [] } })
  })
})

describe('the audit log', () => {
  it('is visible to admins, newest first, and can be filtered', async () => {
    const [admin, member] = [await makeUser(), await makeUser()]
    const workspace = await makeWorkspace([
      [admin, 'ADMIN'],
      [member, 'MEMBER'],
    ])
    const [asAdmin, asMember] = [await tokenOf(admin), await tokenOf(member)]
    for (const name of ['a', 'b']) {
      await run(
        asMember,
        `mutation { projectCreate(input: { workspaceId: "${workspace.id}", name: "${name}" }) { id } }`,
      )
    }
    await run(
      asAdmin,
      `mutation { workspaceMemberUpdate(input: { workspaceId: "${workspace.id}", userId: "${member.id}", role: VIEWER }) { role } }`,
    )
    const read = async (filter: object) => {
      const query = `query ($f: AuditLogFilter) { auditLogs(workspaceId: "${workspace.id}", filter: $f) {
        edges { node { action userId ip details } } } }`
      const data = await run(asAdmin, query, { f: filter })
      return data.auditLogs.edges.map((edge: { node: { action: string } }) => edge.node.action)
    }
    expect(await read({})).toEqual(['member.role_changed', 'project.created', 'project.created'])
    expect(await read({ action: 'project' })).toEqual(['project.created', 'project.created'])
    expect(await read({ action: 'member.role_changed' })).toEqual(['member.role_changed'])
    expect(await read({ userId: admin.id })).toEqual(['member.role_changed'])
    expect(await read({ userId: 'x' })).toEqual([])
    expect(await read({ until: '2000-01-01T00:00:00Z' })).toEqual([])
    expect(await run(asMember, `{ auditLogs(workspaceId: "${workspace.id}") { edges { cursor } } }`)).toBe(
      'FORBIDDEN',
    )
  })
})
