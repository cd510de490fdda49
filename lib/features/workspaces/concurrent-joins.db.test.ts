import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { deleteAccount, fieldOf } from '@/lib/features/identity/delete-account'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import type { SessionActor } from '@/lib/policy/actor'
import { raceForLock } from '@/lib/testing/concurrency'
import { makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
import { acceptInvitation } from './accept-invitation'
import { createInvitation } from './create-invitation'
import { deleteWorkspace } from './delete-workspace'

const actorOf = async ({ id }: { id: string }): Promise<SessionActor> => ({
  kind: 'session',
  userId: id,
  sessionId: await startSession({}, id, ['pwd']),
  instanceAdmin: false,
})

/** Creates a workspace with an admin, a viewer, and an invitation for a third user. */
async function world() {
  const [admin, viewer, guest] = [await makeUser(), await makeUser(), await makeUser()]
  const { id: workspaceId } = await makeWorkspace([
    [admin, 'ADMIN'],
    [viewer, 'VIEWER'],
  ])
  const actor = await actorOf(admin)
  const { link } = await createInvitation(actor, { workspaceId, email: guest.email, role: 'MEMBER' })
  const token = String(link).slice(String(link).lastIndexOf('/') + 1)
  return { admin, actor, guest, asGuest: await actorOf(guest), workspaceId, token }
}

type World = Awaited<ReturnType<typeof world>>

const goes: Record<string, (world: World) => Promise<unknown>> = {
  workspace: ({ actor, workspaceId }) => deleteWorkspace(actor, workspaceId),
  'admin’s account': ({ actor, admin, workspaceId }) =>
    deleteAccount(actor, {
      confirm: admin.email,
      password: testPassword,
      [fieldOf(workspaceId)]: 'delete',
    }),
  'guest’s account': ({ asGuest, guest }) =>
    deleteAccount(asGuest, { confirm: guest.email, password: testPassword }),
}

/** Counts the audit events about the new member. */
const entries = ({ guest }: World): Promise<number> =>
  prisma().auditEvent.count({ where: { action: 'member.added', resourceId: guest.id } })

/** The rows that the deletion of a workspace locks before the invitations. */
const viewers = `SELECT FROM workspace_members WHERE workspace_id = $1 AND role = 'VIEWER' FOR UPDATE`
const invitations = 'SELECT FROM invitations WHERE workspace_id = $1 FOR UPDATE'
const user = 'SELECT FROM users WHERE id = $1 FOR UPDATE'

describe('accepting an invitation', () => {
  it.each(['workspace', 'admin’s account'])('fails if the %s is deleted first', async (what) => {
    const given = await world()
    const outcomes = await raceForLock(
      viewers,
      given.workspaceId,
      () => (goes[what] as (world: World) => Promise<unknown>)(given),
      () => acceptInvitation(given.asGuest, given.token),
    )
    expect(outcomes).toEqual(['ok', 'NOT_FOUND'])
    expect(await prisma().workspace.count({ where: { id: given.workspaceId } })).toBe(0)
    expect(await entries(given)).toBe(0)
  })

  it('fails after the invited user’s account is deleted', async () => {
    const given = await world()
    const outcomes = await raceForLock(
      user,
      given.guest.id,
      () => (goes['guest’s account'] as (world: World) => Promise<unknown>)(given),
      () => acceptInvitation(given.asGuest, given.token),
    )
    expect(outcomes).toEqual(['ok', 'UNAUTHENTICATED'])
    expect(await prisma().invitation.count({ where: { workspaceId: given.workspaceId } })).toBe(1)
    expect(await entries(given)).toBe(0)
  })

  it.each(Object.keys(goes))('leaves no membership if the %s is deleted afterwards', async (what) => {
    const given = await world()
    const outcomes = await raceForLock(
      invitations,
      given.workspaceId,
      () => acceptInvitation(given.asGuest, given.token),
      () => (goes[what] as (world: World) => Promise<unknown>)(given),
    )
    expect(outcomes).toEqual(['ok', 'ok'])
    expect(await prisma().workspaceMember.count({ where: { userId: given.guest.id } })).toBe(0)
    expect(await entries(given)).toBe(1)
  })
})

describe('a sign-in to an account that is being deleted', () => {
  /** The rows that the deletion reads after it has locked the user. */
  const colleagues = 'SELECT FROM workspace_members WHERE workspace_id = $1 FOR UPDATE'
  const signIn = ({ guest }: World) => startSession({ language: 'de' }, guest.id, ['pwd'])

  it('fails if the deletion starts first', async () => {
    const given = await world()
    const own = await makeWorkspace([
      [given.guest, 'ADMIN'],
      [given.admin, 'ADMIN'],
    ])
    const outcomes = await raceForLock(
      colleagues,
      own.id,
      () => (goes['guest’s account'] as (world: World) => Promise<unknown>)(given),
      () => signIn(given),
    )
    expect(outcomes).toEqual(['ok', 'UNAUTHENTICATED'])
  })

  it('succeeds if the sign-in starts first, but its session is deleted with the account', async () => {
    const given = await world()
    const outcomes = await raceForLock(
      user,
      given.guest.id,
      () => signIn(given),
      () => (goes['guest’s account'] as (world: World) => Promise<unknown>)(given),
    )
    expect(outcomes).toEqual(['ok', 'ok'])
    expect(await prisma().session.count({ where: { userId: given.guest.id } })).toBe(0)
  })
})
