import { inTransaction, isId, prisma, storedId } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockProjectRole, lockUser } from '@/lib/policy/lock-role'
import { requireProject } from '@/lib/policy/require'
import { projectMemberByEmailInput, projectMemberInput, unknownMember } from './change-member'
import { createInvitation } from './create-invitation'
import { recordRemoved } from './former-members'
import { withdrawInvitations } from './list-invitations'

/**
 * Sets a user's direct role in a project. Does nothing if the user already has this role. The user must
 * already have access to the project, as a member of its workspace or through a direct role. Other users must
 * be invited. Revokes open invitations of the user to the project with a higher role. Requires
 * `project:manage-members`.
 * @param input `projectId`, `userId`, `role`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such user with access to the project), and the errors of
 * `requireProject`
 */
export async function setProjectMember(actor: Actor, input: unknown): Promise<void> {
  const { projectId, userId, role } = parseInput(projectMemberInput, input)
  const project = await requireProject(actor, 'project:manage-members', projectId)
  await inTransaction(async (tx) => {
    await lockProjectRole(tx, actor, 'project:manage-members', project)
    const key = { projectId_userId: { projectId: project.id, userId } }
    const before = isId(userId) ? await tx.projectMember.findUnique({ where: key }) : null
    const colleague = isId(userId)
      ? await tx.workspaceMember.count({ where: { workspaceId: project.workspaceId, userId } })
      : 0
    if (!before && !colleague) throw unknownMember(userId)
    if (before?.role === role) return
    await tx.projectMember.upsert({
      where: key,
      create: { projectId: project.id, userId, role },
      update: { role },
    })
    const { workspaceId, id } = project
    await withdrawInvitations(tx, actor, { workspaceId, projectId: id }, [userId], role)
    await recordEvent(tx, actor, {
      action: before ? 'member.role_changed' : 'member.added',
      resource: { type: 'user', id: userId },
      workspaceId: project.workspaceId,
      details: { projectId: project.id, role },
    })
  })
}

/**
 * Removes a user's direct role in a project. Users who are also members of the workspace keep their access
 * through the workspace role. Requires `project:manage-members`. Users can remove their own role without this
 * permission, but not with an app or a token that has no access to the account. Unless users remove their own
 * role, records the removal (`recordRemoved`) and revokes open invitations of the user to the project.
 * @throws AppError FORBIDDEN, NOT_FOUND (no such member), and the errors of `requireProject`
 */
export async function removeProjectMember(actor: Actor, projectId: string, id: string): Promise<void> {
  const userId = storedId(id)
  const own = userId === actor.userId
  if (own) authorizeAccount(actor)
  const project = await requireProject(actor, own ? 'project:read' : 'project:manage-members', projectId)
  await inTransaction(async (tx) => {
    if (!own && isId(userId)) await lockUser(tx, userId)
    if (!own) await lockProjectRole(tx, actor, 'project:manage-members', project)
    const { count } = isId(userId)
      ? await tx.projectMember.deleteMany({ where: { projectId: project.id, userId } })
      : { count: 0 }
    if (count === 0) throw unknownMember(userId)
    if (!own) {
      await recordRemoved(tx, project.workspaceId, [userId])
      await withdrawInvitations(tx, actor, { workspaceId: project.workspaceId, projectId: project.id }, [
        userId,
      ])
    }
    await recordEvent(tx, actor, {
      action: own ? 'member.left' : 'member.removed',
      resource: { type: 'user', id: userId },
      workspaceId: project.workspaceId,
      details: { projectId: project.id },
    })
  })
}

/**
 * Adds a user to a project by email address. A member of the project's workspace who has no direct role in
 * the project is added immediately. The owner of any other email address is invited, so that the result does
 * not reveal which email addresses have an account. Requires `project:manage-members`.
 * @param input `projectId`, `email`, `role`
 * @returns the invitation link, which is returned only once; undefined if the user was added, or null if an
 * app creates the invitation
 * @throws AppError BAD_USER_INPUT, CONFLICT on `email` (already has a direct role in the project),
 * RATE_LIMITED, and the errors of `requireProject`
 */
export async function addProjectMember(actor: Actor, input: unknown): Promise<{ link?: string | null }> {
  const { projectId, email, role } = parseInput(projectMemberByEmailInput, input)
  const project = await requireProject(actor, 'project:manage-members', projectId)
  const colleague = await prisma().workspaceMember.findFirst({
    where: {
      workspaceId: project.workspaceId,
      user: { email, projectMemberships: { none: { projectId: project.id } } },
    },
    select: { userId: true },
  })
  if (!colleague)
    return { link: (await createInvitation(actor, { projectId: project.id, email, role })).link }
  await setProjectMember(actor, { projectId: project.id, userId: colleague.userId, role })
  return {}
}
