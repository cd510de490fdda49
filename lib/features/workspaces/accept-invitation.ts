import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { domainOf } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Invitation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockUser, lockWorkspace } from '@/lib/policy/lock-role'
import { higher, type Role } from '@/lib/policy/scopes'
import { forgetDepartures } from './former-members'

/** The content of an invitation as shown on its page. */
export type Offer = {
  invitation: Pick<Invitation, 'id' | 'email' | 'role' | 'expiresAt'>
  workspace: { id: string; name: string; slug: string }
  project: { id: string; name: string } | null
  inviter: string | null
}

/**
 * Returns an invitation with its workspace, its project, and the inviter's name. The caller does not have to
 * be signed in, because the secret token proves that the caller has the link.
 * @param token the token in the invitation link
 * @throws AppError NOT_FOUND if the token is malformed or unknown, or if the invitation has expired, was
 * revoked, or was already used
 */
export async function findInvitation(token: string): Promise<Offer> {
  const invitation = await findLive(prisma(), token)
  const inviter = invitation.invitedById
    ? await prisma().user.findUnique({ where: { id: invitation.invitedById }, select: { name: true } })
    : null
  const { id, email, role, expiresAt, workspace, project } = invitation
  return { invitation: { id, email, role, expiresAt }, workspace, project, inviter: inviter?.name ?? null }
}

/**
 * Returns the role that a user already has in the project or, without a project, in the workspace of an
 * invitation. Returns undefined if the user has none.
 */
export async function currentRole({ workspace, project }: Offer, userId: string): Promise<Role | undefined> {
  const [inWorkspace, inProject] = await Promise.all([
    prisma().workspaceMember.findUnique({
      where: { workspaceId_userId: { workspaceId: workspace.id, userId } },
    }),
    project &&
      prisma().projectMember.findUnique({ where: { projectId_userId: { projectId: project.id, userId } } }),
  ])
  return higher(inWorkspace?.role, inProject?.role)
}

/**
 * Accepts an invitation and deletes it, so that it cannot be accepted again. A user who already has a role
 * keeps the higher of the two roles. Accepting an invitation to a workspace also deletes the records of
 * the user's earlier departures from it (former-members.ts). Locks the user, the workspace, and the
 * invitation in this order, which is also the order in which accounts and workspaces are deleted. See ADR
 * 0017.
 * @returns the workspace, and whether the role is limited to one project
 * @throws AppError FORBIDDEN for apps, for tokens without access to the account, and for accounts that
 * `requireInvitedAddress` rejects; NOT_FOUND for an invalid token; UNAUTHENTICATED if the account was deleted
 */
export async function acceptInvitation(
  actor: Actor,
  token: string,
): Promise<Offer['workspace'] & { projectOnly: boolean }> {
  authorizeAccount(actor)
  return inTransaction(async (tx) => {
    if (!(await lockUser(tx, actor.userId))) throw new AppError('UNAUTHENTICATED')
    const invitation = await findLive(tx, token)
    await lockWorkspace(tx, invitation.workspaceId)
    await requireInvitedAddress(tx, invitation, actor.userId)
    // Delete the invitation. If two requests accept it at the same time, the second one deletes no row and
    // fails.
    const { count } = await tx.invitation.deleteMany({ where: { id: invitation.id } })
    if (count === 0) throw unusableInvitationError()
    await grant(tx, invitation, actor.userId)
    await recordEvent(tx, actor, {
      action: 'member.added',
      resource: { type: 'user', id: actor.userId },
      workspaceId: invitation.workspaceId,
      details: {
        role: invitation.role,
        invitationId: invitation.id,
        ...(invitation.projectId ? { projectId: invitation.projectId } : {}),
      },
    })
    return { ...invitation.workspace, projectOnly: invitation.projectId !== null }
  })
}

/**
 * Rejects an account if the workspace requires SSO for the domain of the invited email address, and the
 * account's email address is in another domain. Without this check, the user could join with an account for
 * which the workspace does not require SSO.
 * @throws AppError FORBIDDEN
 */
async function requireInvitedAddress(
  tx: Db,
  { workspaceId, email }: Invitation,
  userId: string,
): Promise<void> {
  const invited = domainOf(email)
  const requires = await tx.workspaceIdentityProvider.count({
    where: {
      workspaceId,
      domain: invited ?? '',
      requiresSso: true,
      OR: [{ verifiedAt: { not: null } }, { failingSince: { not: null } }],
    },
  })
  if (requires === 0) return
  const account = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })
  if (domainOf(account.email) === invited) return
  throw new AppError(
    'FORBIDDEN',
    'This workspace requires single sign-on with the invited address. Sign in with that address to accept the invitation.',
  )
}

async function grant(tx: Db, { workspaceId, projectId, role }: Invitation, userId: string): Promise<void> {
  if (projectId) {
    const key = { projectId_userId: { projectId, userId } }
    const before = await tx.projectMember.findUnique({ where: key })
    await tx.projectMember.upsert({
      where: key,
      create: { projectId, userId, role },
      update: { role: higher(before?.role, role) },
    })
    return
  }
  await forgetDepartures(tx, workspaceId, { id: userId })
  const key = { workspaceId_userId: { workspaceId, userId } }
  const before = await tx.workspaceMember.findUnique({ where: key })
  await tx.workspaceMember.upsert({
    where: key,
    create: { workspaceId, userId, role },
    update: { role: higher(before?.role, role) },
  })
}

async function findLive(db: Db, token: string) {
  if (credentialKind(token) !== 'invitation') throw unusableInvitationError()
  const invitation = await db.invitation.findUnique({
    where: { hash: Uint8Array.from(hashCredential(token)) },
    include: {
      workspace: { select: { id: true, name: true, slug: true } },
      project: { select: { id: true, name: true } },
    },
  })
  if (!invitation || invitation.expiresAt.getTime() <= databaseNow()) throw unusableInvitationError()
  return invitation
}

const unusableInvitationError = () =>
  new AppError(
    'NOT_FOUND',
    'This invitation was already used, was revoked, or has expired. Ask for a new one.',
  )
