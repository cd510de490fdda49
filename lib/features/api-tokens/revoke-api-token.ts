import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ApiToken } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { authorizeAccount } from '@/lib/policy/authorize'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import { visibleProjects } from '@/lib/policy/visible'

/** A token that the actor can revoke. `workspaceId` is null for an account token. */
type Revocable = { token: ApiToken; workspaceId: string | null }

/**
 * Returns a token that the user created, whether for the account, a workspace, or a project.
 * @throws AppError FORBIDDEN for apps and limited tokens, NOT_FOUND
 */
export async function requireOwnToken(actor: Actor, id: string): Promise<Revocable> {
  authorizeAccount(actor)
  const token = isId(id)
    ? await prisma().apiToken.findFirst({
        where: { id, userId: actor.userId },
        include: { project: { select: { workspaceId: true } } },
      })
    : null
  if (!token) throw unknownToken(id)
  return { token, workspaceId: token.workspaceId ?? token.project?.workspaceId ?? null }
}

/**
 * Returns a project token, even if another user created it. Requires `project:manage-tokens` in the project.
 * @throws AppError NOT_FOUND, and the errors of `visibleProjects` and `requireProject`
 */
export async function requireProjectToken(actor: Actor, id: string): Promise<Revocable> {
  const token = isId(id)
    ? await prisma().apiToken.findFirst({ where: { id, kind: 'PROJECT', project: visibleProjects(actor) } })
    : null
  if (!token?.projectId) throw unknownToken(id)
  bindApproval(actor, { name: token.name })
  const project = await requireProject(actor, 'project:manage-tokens', token.projectId)
  return { token, workspaceId: project.workspaceId }
}

/**
 * Returns a token that is limited to a workspace or one of its projects, even if another user created the
 * token. Requires `workspace:manage-tokens` in the workspace.
 * @throws AppError NOT_FOUND (including for an account token, which belongs to its user), and the errors of
 * `requireWorkspace`
 */
export async function requireWorkspaceToken(actor: Actor, id: string): Promise<Revocable> {
  const token = isId(id)
    ? await prisma().apiToken.findUnique({
        where: { id },
        include: { project: { select: { workspaceId: true } } },
      })
    : null
  const workspaceId = token?.workspaceId ?? token?.project?.workspaceId
  if (!token || !workspaceId) throw unknownToken(id)
  bindApproval(actor, { name: token.name })
  // Replace a NOT_FOUND error, because it contains the workspace's ID. A caller who cannot see the workspace
  // must not learn its ID.
  await requireWorkspace(actor, 'workspace:manage-tokens', workspaceId).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknownToken(id) : error
  })
  return { token, workspaceId }
}

/**
 * Revokes a token that the user created, whether for the account, a workspace, or a project. The next request
 * with the token fails.
 * @throws the errors of `requireOwnToken`
 */
export const revokeApiToken = async (actor: Actor, id: string): Promise<void> =>
  remove(actor, await requireOwnToken(actor, id))

/**
 * Revokes a project token, even if another user created it. Requires `project:manage-tokens` in the project.
 * @throws the errors of `requireProjectToken`
 */
export const revokeProjectToken = async (actor: Actor, id: string): Promise<void> =>
  remove(actor, await requireProjectToken(actor, id))

/**
 * Revokes a token that is limited to a workspace or one of its projects, even if another user created the
 * token. Requires `workspace:manage-tokens` in the workspace.
 * @throws the errors of `requireWorkspaceToken`
 */
export const revokeWorkspaceToken = async (actor: Actor, id: string): Promise<void> =>
  remove(actor, await requireWorkspaceToken(actor, id))

async function remove(actor: Actor, { token, workspaceId }: Revocable): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.apiToken.deleteMany({ where: { id: token.id } })
    if (count === 0) return
    // Delete an authenticator app's key that was created with this token, unless the user has already
    // confirmed the key with a first code.
    await tx.totpSecret.deleteMany({
      where: { userId: token.userId, begunBy: token.id, confirmedAt: null },
    })
    await recordEvent(tx, actor, {
      action: 'api_token.revoked',
      resource: { type: 'api_token', id: token.id },
      workspaceId,
      details: { name: token.name, kind: token.kind, madeBy: token.userId },
    })
  })
}

const unknownToken = (id: string) =>
  new AppError('NOT_FOUND', 'The token was not found, or you don’t have access to it.', {
    resource: { type: 'api_token', id },
  })
