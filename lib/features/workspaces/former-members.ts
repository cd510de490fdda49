import { createHash } from 'node:crypto'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { identitiesAtAnyProvider, providerName } from '@/lib/policy/required-sso'
import { lowerRole, type Role } from '@/lib/policy/scopes'

/**
 * Former members of a workspace, who cannot use a sign-in through the workspace's SSO connection to undo an
 * admin's decision. A user whom an admin removed from the workspace, or from one of its projects if the user
 * had no role in the workspace, cannot rejoin through SSO until they are invited to the workspace again or an
 * admin allows it. A user who left rejoins with at most the role that they had.
 *
 * Hashes of the email address and of the identity at the provider are stored, too. Otherwise, a user could
 * rejoin with a new account after deleting the account or changing its email address.
 */

/** The maximum number of users that `listRemovedMembers` returns. */
const most = 100

/** A user whom an admin removed. */
export type RemovedMember = { userId: string; name: string; email: string; removedAt: Date }

/** A user's departure from a workspace. `leftAs` is the user's role; null if an admin removed the user. */
type Departure = { workspaceId: string; userId: string; leftAs: Role | null }

/**
 * Records which users an admin removed. Call this function in the transaction of the removal, after the roles
 * are deleted. Ignores users who still have a role in the workspace.
 */
export async function recordRemoved(tx: Db, workspaceId: string, userIds: readonly string[]): Promise<void> {
  const still = await tx.workspaceMember.findMany({
    where: { workspaceId, userId: { in: [...userIds] } },
    select: { userId: true },
  })
  const gone = userIds.filter((id) => !still.some(({ userId }) => userId === id))
  await record(
    tx,
    gone.map((userId) => ({ workspaceId, userId, leftAs: null })),
  )
}

/**
 * Records that a user leaves workspaces. Also call this function before the user deletes the account, or
 * moves it to an address that the workspace's provider does not manage.
 */
export const recordLeft = (
  tx: Db,
  userId: string,
  memberships: readonly { workspaceId: string; role: Role }[],
): Promise<void> =>
  record(
    tx,
    memberships.map(({ workspaceId, role }) => ({ workspaceId, userId, leftAs: role })),
  )

/** Records departures, and deletes the records of earlier departures of the same users. */
async function record(tx: Db, departures: readonly Departure[]): Promise<void> {
  if (departures.length === 0) return
  const find = await identifiersOf(
    tx,
    departures.map(({ userId }) => userId),
  )
  const rows = departures.map((each) => ({ ...each, identifiers: find(each) }))
  await tx.formerMember.deleteMany({ where: { OR: rows.map(sameUser) } })
  await tx.formerMember.createMany({ data: rows })
}

/**
 * Returns the role with which a user joins a workspace through SSO, or undefined if the user must not join,
 * because an admin removed the user.
 * @param role the role of users who join for the first time
 */
export async function rejoinRole(
  tx: Db,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<Role | undefined> {
  const identifiers = (await identifiersOf(tx, [userId]))({ workspaceId, userId })
  const departures = await tx.formerMember.findMany({
    where: sameUser({ workspaceId, userId, identifiers }),
    select: { leftAs: true },
  })
  return departures.reduce<Role | undefined>(
    (least, { leftAs }) => lowerRole(least, leftAs ?? undefined),
    role,
  )
}

/**
 * Deletes the records of a user's departures from a workspace, because an admin invited the user.
 * @param who the user, or the invited email address, which might not have an account
 */
export async function forgetDepartures(
  tx: Db,
  workspaceId: string,
  who: { id: string } | { email: string },
): Promise<void> {
  const user = await tx.user.findUnique({ where: who, select: { id: true } })
  if (user) {
    const identifiers = (await identifiersOf(tx, [user.id]))({ workspaceId, userId: user.id })
    await tx.formerMember.deleteMany({ where: sameUser({ workspaceId, userId: user.id, identifiers }) })
  } else if ('email' in who) {
    const identifiers = { has: identifier(workspaceId, 'email', who.email) }
    await tx.formerMember.deleteMany({ where: { workspaceId, identifiers } })
  }
}

/** Returns a filter for the records of a user's departures from a workspace. */
const sameUser = ({
  workspaceId,
  userId,
  identifiers,
}: {
  workspaceId: string
  userId: string
  identifiers: string[]
}) => ({ workspaceId, OR: [{ userId }, { identifiers: { hasSome: identifiers } }] })

/**
 * Returns a hash that identifies a user in one workspace after the account was deleted. The migration that
 * added the column `identifiers` computes the same hash.
 */
const identifier = (workspaceId: string, kind: 'email' | 'subject', value: string): string =>
  createHash('sha256').update(`${workspaceId} ${kind} ${value}`).digest('hex')

/**
 * Reads the email addresses and the provider identities of users.
 * @returns a function that returns a user's identifiers in a workspace
 */
async function identifiersOf(tx: Db, userIds: readonly string[]) {
  const users = await tx.user.findMany({
    where: { id: { in: [...new Set(userIds)] } },
    select: {
      id: true,
      email: true,
      identities: { where: identitiesAtAnyProvider, select: { provider: true, subject: true } },
    },
  })
  return ({ workspaceId, userId }: { workspaceId: string; userId: string }): string[] =>
    users
      .filter(({ id }) => id === userId)
      .flatMap(({ email, identities }) => [
        identifier(workspaceId, 'email', email),
        ...identities
          .filter(({ provider }) => provider === providerName(workspaceId))
          .map(({ subject }) => identifier(workspaceId, 'subject', subject)),
      ])
}

/**
 * Returns up to 100 users whom admins removed from a workspace, latest first. Omits users who deleted their
 * account.
 * @throws the errors of `requireWorkspace` with `workspace:manage-members`
 */
export async function listRemovedMembers(actor: Actor, workspaceId: string): Promise<RemovedMember[]> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  return prisma().$queryRaw<RemovedMember[]>`
    SELECT f.user_id AS "userId", u.name, u.email, f.created_at AS "removedAt"
      FROM removed_members f JOIN users u ON u.id = f.user_id
     WHERE f.workspace_id = ${id}::uuid AND f.left_as IS NULL
     ORDER BY f.created_at DESC, f.user_id LIMIT ${most}`
}

/**
 * Lets a removed user join a workspace again by signing in through its SSO connection.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` with `workspace:manage-members`
 */
export async function allowRemovedMember(actor: Actor, workspaceId: string, userId: string): Promise<void> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-members', id)
    const { count } = isId(userId)
      ? await tx.formerMember.deleteMany({ where: { workspaceId: id, userId, leftAs: null } })
      : { count: 0 }
    if (count === 0)
      throw new AppError('NOT_FOUND', 'This user isn’t on the list of removed users. Reload and try again.')
    await recordEvent(tx, actor, {
      action: 'member.rejoin_allowed',
      resource: { type: 'user', id: userId },
      workspaceId: id,
    })
  })
}
