import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { requireProject } from '@/lib/policy/require'
import { createInvitation } from '../invitations/create-invitation'
import { projectMemberByEmailInput } from './input'
import { setProjectMember } from './set-project-member'

/**
 * Lets the person of an e-mail address into a project: a member of its workspace at once, anyone else by an invitation.
 * So nobody learns here which addresses have an account. Takes `project:manage-members`.
 * @param input `projectId`, `email`, `role`
 * @returns the link of the invitation, to be had this once; undefined when the person was added
 * @throws AppError BAD_USER_INPUT, CONFLICT on `email` (has a role in the project already), and as `authorizeProject`
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
