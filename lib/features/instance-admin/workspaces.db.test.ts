import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { assignWorkspace, getWorkspace } from './workspaces'

type User = Awaited<ReturnType<typeof makeUser>>

let instanceAdmin: SessionActor
let self: User
let heir: User
beforeEach(async () => {
  self = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: self.id, sessionId: randomUUID(), instanceAdmin: true }
  heir = await makeUser()
})

/** Creates a workspace whose only admin is suspended. */
const abandoned = async () => makeWorkspace([[await makeUser({ suspendedAt: new Date() }), 'ADMIN']])
const give = (id: string, to: User) => assignWorkspace(instanceAdmin, id, { email: to.email })
const adminsOf = (id: string) =>
  prisma().workspaceMember.findMany({ where: { workspaceId: id, role: 'ADMIN' }, select: { userId: true } })

describe('an abandoned workspace', () => {
  it('can be assigned to one of its members, which notifies the member and is recorded in the audit log', async () => {
    const workspace = await abandoned()
    await joinWorkspace(workspace, heir, 'VIEWER')
    expect((await getWorkspace(instanceAdmin, workspace.id)).abandoned).toEqual([
      { name: heir.name, email: heir.email },
    ])
    await assignWorkspace(instanceAdmin, workspace.id, { email: heir.email.toUpperCase() })
    expect(await adminsOf(workspace.id)).toContainEqual({ userId: heir.id })
    expect((await getWorkspace(instanceAdmin, workspace.id)).abandoned).toBeUndefined()
    expect(
      await prisma().auditEvent.findMany({
        where: { workspaceId: workspace.id },
        select: { action: true, userId: true, resourceId: true, details: true },
      }),
    ).toEqual([
      {
        action: 'workspace.admin_assigned',
        userId: self.id,
        resourceId: heir.id,
        details: { from: 'VIEWER', to: 'ADMIN' },
      },
    ])
    expect(await prisma().notification.count({ where: { userId: heir.id, workspaceId: workspace.id } })).toBe(
      1,
    )
  })

  it('can be assigned to a non-member only if no member can sign in', async () => {
    const workspace = await abandoned()
    await joinWorkspace(workspace, heir, 'MEMBER')
    const stranger = await makeUser()
    await expect(give(workspace.id, stranger)).rejects.toMatchObject({ details: { field: 'email' } })
    await prisma().user.update({ where: { id: heir.id }, data: { suspendedAt: new Date() } })
    await give(workspace.id, stranger)
    expect(await adminsOf(workspace.id)).toContainEqual({ userId: stranger.id })
  })

  it('cannot be assigned to a user who is suspended, is unknown, or has an unconfirmed email address', async () => {
    const workspace = await abandoned()
    const suspended = await makeUser({ suspendedAt: new Date() })
    await prisma().user.update({ where: { id: heir.id }, data: { emailVerifiedAt: null } })
    for (const email of [suspended.email, heir.email, 'nobody@example.test', 'nonsense', '']) {
      await expect(assignWorkspace(instanceAdmin, workspace.id, { email })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    }
    expect(await adminsOf(workspace.id)).toHaveLength(1)
  })

  it('cannot be assigned to the instance admin who assigns it, even if that admin is a member', async () => {
    const workspace = await abandoned()
    await expect(give(workspace.id, self)).rejects.toMatchObject({ code: 'CONFLICT' })
    await joinWorkspace(workspace, self, 'VIEWER')
    await expect(give(workspace.id, self)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await prisma().auditEvent.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  it('is assigned only once by two concurrent requests', async () => {
    const workspace = await abandoned()
    const other = await makeUser()
    const given = await Promise.allSettled([give(workspace.id, heir), give(workspace.id, other)])
    expect(given.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await adminsOf(workspace.id)).toHaveLength(2)
  })
})

it('a workspace with an admin who can sign in cannot be assigned', async () => {
  const workspace = await makeWorkspace([
    [await makeUser({ suspendedAt: new Date() }), 'ADMIN'],
    [await makeUser(), 'ADMIN'],
    [heir, 'MEMBER'],
  ])
  await expect(give(workspace.id, heir)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await getWorkspace(instanceAdmin, workspace.id)).abandoned).toBeUndefined()
})

it('assigning a workspace requires an instance admin’s browser session, and fails for an unknown workspace', async () => {
  const workspace = await abandoned()
  const others: Actor[] = [
    { ...instanceAdmin, instanceAdmin: false },
    { kind: 'account-token', userId: self.id, tokenId: randomUUID(), role: 'ADMIN' },
  ]
  for (const actor of others) {
    await expect(assignWorkspace(actor, workspace.id, { email: heir.email })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  }
  for (const id of [randomUUID(), 'x'])
    await expect(give(id, heir)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
