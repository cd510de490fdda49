import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { createWebhook } from '@/lib/features/webhooks/change-webhook'
import type { SessionActor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { changeMemberRoles, mostMembers } from '../change-member'
import { removeMembers } from '../remove-member'
import {
  countMembers,
  membersById,
  searchExternalUsers,
  searchMembers,
  searchWatchedMembers,
} from '../search-members'

const firstPage = { number: 1, size: 25 }

/** Creates a workspace with an admin and some members, and a session of the admin. */
async function world(members = 3) {
  const admin = await makeUser({ name: 'Zora Admin' })
  const users = await Promise.all(Array.from({ length: members }, () => makeUser()))
  const { id: workspaceId } = await makeWorkspace([
    [admin, 'ADMIN'],
    ...users.map((user) => [user, 'MEMBER'] as [typeof user, 'MEMBER']),
  ])
  const actor: SessionActor = { kind: 'session', userId: admin.id, sessionId: 's', instanceAdmin: false }
  return { actor, admin, users, userIds: users.map(({ id }) => id), workspaceId }
}

const rolesIn = async (workspaceId: string) => {
  const rows = await prisma().workspaceMember.findMany({ where: { workspaceId } })
  return new Map(rows.map(({ userId, role }) => [userId, role]))
}

const eventsIn = (workspaceId: string, action: string) =>
  prisma().auditEvent.findMany({ where: { workspaceId, action }, orderBy: { id: 'asc' } })

describe('changeMemberRoles', () => {
  it('changes all roles and records one event for each change', async () => {
    const { actor, userIds, workspaceId } = await world()
    await prisma().workspaceMember.update({
      where: { workspaceId_userId: { workspaceId, userId: String(userIds[0]) } },
      data: { role: 'VIEWER' },
    })
    expect(await changeMemberRoles(actor, { workspaceId, userIds, role: 'VIEWER' })).toEqual({ changed: 2 })
    const roles = await rolesIn(workspaceId)
    expect(userIds.map((id) => roles.get(id))).toEqual(['VIEWER', 'VIEWER', 'VIEWER'])
    const events = await eventsIn(workspaceId, 'member.role_changed')
    expect(events.map(({ resourceId }) => resourceId).sort()).toEqual(userIds.slice(1).sort())
    expect(events[0]?.details).toEqual({ from: 'MEMBER', to: 'VIEWER' })
  })

  it('changes nothing if one of the users is not a member', async () => {
    const { actor, userIds, workspaceId } = await world()
    const stranger = await makeUser()
    const input = { workspaceId, userIds: [...userIds, stranger.id], role: 'ADMIN' }
    await expect(changeMemberRoles(actor, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([...(await rolesIn(workspaceId)).values()].filter((role) => role === 'ADMIN')).toHaveLength(1)
    expect(await eventsIn(workspaceId, 'member.role_changed')).toEqual([])
  })

  it('rejects a change that would leave no admin', async () => {
    const { actor, admin, userIds, workspaceId } = await world()
    await changeMemberRoles(actor, { workspaceId, userIds: userIds.slice(0, 1), role: 'ADMIN' })
    const both = [admin.id, String(userIds[0])]
    const input = { workspaceId, userIds: both, role: 'VIEWER' }
    await expect(changeMemberRoles(actor, input)).rejects.toMatchObject({ code: 'CONFLICT' })
    const roles = await rolesIn(workspaceId)
    expect(both.map((id) => roles.get(id))).toEqual(['ADMIN', 'ADMIN'])
  })

  it('requires a valid role and 1 to 100 users', async () => {
    const { actor, userIds, workspaceId } = await world()
    for (const wrong of [
      { userIds: [] },
      { userIds: Array.from({ length: mostMembers + 1 }, () => String(userIds[0])) },
      { role: 'OWNER' },
    ]) {
      const input = { workspaceId, userIds, role: 'VIEWER', ...wrong }
      await expect(changeMemberRoles(actor, input)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    }
  })

  it('uses the same number of statements for 20 users as for two, even if a webhook receives a message for each user', async () => {
    const { actor, userIds, workspaceId } = await world(22)
    await createWebhook(actor, { workspaceId, url: 'https://app.example/', events: ['member.*'] })
    const change = (ids: string[]) => () =>
      changeMemberRoles(actor, { workspaceId, userIds: ids, role: 'VIEWER' })
    const two = await countStatements(change(userIds.slice(0, 2)))
    const twenty = await countStatements(change(userIds.slice(2)))
    expect(twenty.statements).toHaveLength(two.statements.length)
    const deliveries = await prisma().webhookDelivery.findMany({ where: { webhook: { workspaceId } } })
    const resources = deliveries.map(
      ({ payload }) => (payload as { data: { resource: { id: string } } }).data.resource.id,
    )
    expect(resources.sort()).toEqual([...userIds].sort())
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(22)
  })
})

describe('removeMembers', () => {
  it('removes the given members, records each removal, and prevents them from rejoining automatically', async () => {
    const { actor, admin, userIds, workspaceId } = await world()
    await removeMembers(actor, { workspaceId, userIds })
    expect([...(await rolesIn(workspaceId)).keys()]).toEqual([admin.id])
    expect(await eventsIn(workspaceId, 'member.removed')).toHaveLength(3)
    expect(await prisma().formerMember.count({ where: { workspaceId } })).toBe(3)
  })

  it('removes no one if no admin would remain, or if one of the users is not a member', async () => {
    const { actor, admin, userIds, workspaceId } = await world()
    const stranger = await makeUser()
    for (const [other, code] of [
      [admin.id, 'CONFLICT'],
      [stranger.id, 'NOT_FOUND'],
      ['not-an-id', 'NOT_FOUND'],
    ]) {
      await expect(
        removeMembers(actor, { workspaceId, userIds: [...userIds, String(other)] }),
      ).rejects.toMatchObject({ code })
    }
    expect((await rolesIn(workspaceId)).size).toBe(4)
    expect(await eventsIn(workspaceId, 'member.removed')).toEqual([])
  })

  it('uses the same number of statements for 20 users as for two', async () => {
    const { actor, userIds, workspaceId } = await world(22)
    const removal = (ids: string[]) => () => removeMembers(actor, { workspaceId, userIds: ids })
    const two = await countStatements(removal(userIds.slice(0, 2)))
    const twenty = await countStatements(removal(userIds.slice(2)))
    expect(twenty.statements).toHaveLength(two.statements.length)
  })
})

it.each([
  ['MEMBER', 'FORBIDDEN'],
  ['VIEWER', 'FORBIDDEN'],
  ['no role', 'NOT_FOUND'],
] as const)('a user who is not an admin (%s) cannot change or remove members', async (role, code) => {
  const { actor, userIds, workspaceId } = await world()
  const user = await makeUser()
  if (role !== 'no role')
    await prisma().workspaceMember.create({ data: { workspaceId, userId: user.id, role } })
  const before = await rolesIn(workspaceId)
  const other: SessionActor = { ...actor, userId: user.id }
  const change = changeMemberRoles(other, { workspaceId, userIds: [...userIds, user.id], role: 'ADMIN' })
  await expect(change).rejects.toMatchObject({ code })
  await expect(removeMembers(other, { workspaceId, userIds })).rejects.toMatchObject({ code })
  expect(await rolesIn(workspaceId)).toEqual(before)
  expect(await prisma().auditEvent.count({ where: { workspaceId } })).toBe(0)
})

describe('searchWatchedMembers', () => {
  it('sorts by each column, and filters by role and two-factor authentication', async () => {
    const { admin, users, userIds, workspaceId } = await world()
    const [first, second, third] = userIds as [string, string, string]
    await prisma().passkey.create({
      data: {
        id: `key-${first}`,
        userId: first,
        name: 'Laptop',
        publicKey: new Uint8Array([1]),
        transports: [],
      },
    })
    await prisma().totpSecret.create({
      data: { userId: second, sealed: new Uint8Array([1]), confirmedAt: new Date() },
    })
    await prisma().totpSecret.create({ data: { userId: third, sealed: new Uint8Array([1]) } })
    const used = new Date('2026-05-01T10:00:00Z')
    await prisma().session.create({
      data: { userId: second, methods: ['pwd'], lastUsedAt: used, expiresAt: new Date(Date.now() + 1000) },
    })
    const idsOf = async (query: Partial<Parameters<typeof searchWatchedMembers>[1]>) =>
      (await searchWatchedMembers(workspaceId, { text: '', ...query }, firstPage)).rows.map(({ id }) => id)
    expect(await idsOf({})).toEqual([...userIds, admin.id])
    expect(await idsOf({ descending: true })).toEqual([admin.id, ...[...userIds].reverse()])
    expect((await idsOf({ order: 'role' }))[0]).toBe(admin.id)
    expect((await idsOf({ order: 'active' }))[0]).toBe(second)
    expect((await idsOf({ order: 'active', descending: true }))[0]).toBe(second)
    expect((await idsOf({ order: 'twoFactor', descending: true })).slice(0, 2)).toEqual([first, second])
    expect(await idsOf({ order: 'joined' })).toHaveLength(4)
    expect(await idsOf({ twoFactor: true })).toEqual([first, second])
    expect(await idsOf({ twoFactor: false, role: 'MEMBER' })).toEqual([third])
    const { rows, total } = await searchWatchedMembers(
      workspaceId,
      { text: String(users[1]?.email) },
      firstPage,
    )
    expect(total).toBe(1)
    expect(rows).toMatchObject([{ id: second, twoFactor: 'app', lastActiveAt: used }])
  })
})

it('searchMembers omits the two-factor method and the last activity', async () => {
  const { workspaceId } = await world(1)
  const { rows } = await searchMembers(workspaceId, { text: '' }, firstPage)
  expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['avatarUrl', 'createdAt', 'email', 'id', 'name', 'role'])
})

describe('searchExternalUsers', () => {
  it('returns users who have roles only in projects, with their projects and their highest role', async () => {
    const { users, workspaceId } = await world()
    const outsider = await makeUser({ name: 'Olga Outside' })
    const workspace = { id: workspaceId }
    for (const [name, role] of [
      ['Project 10', 'VIEWER'],
      ['Project 9', 'ADMIN'],
      ['Project 2', 'MEMBER'],
      ['Project 1', 'VIEWER'],
    ] as const) {
      const project = await makeProject(workspace, [[outsider, role]])
      await prisma().project.update({ where: { id: project.id }, data: { name } })
    }
    await makeProject(workspace, [[users[0] as { id: string }, 'ADMIN']])
    const { rows, total } = await searchExternalUsers(workspaceId, 'olga', firstPage)
    expect(total).toBe(1)
    expect(rows).toMatchObject([{ id: outsider.id, role: 'ADMIN', projectCount: 4, lastActiveAt: null }])
    expect(rows[0]?.projects.map(({ name }) => name)).toEqual(['Project 1', 'Project 2', 'Project 9'])
    expect(await countMembers(workspaceId)).toEqual({ members: 4, invitations: 0, external: 1 })
  })
})

it('membersById returns only members of the workspace', async () => {
  const { userIds, workspaceId } = await world()
  const stranger = await makeUser()
  const found = await membersById(workspaceId, [String(userIds[1]), stranger.id])
  expect(found.map(({ id }) => id)).toEqual([userIds[1]])
})
