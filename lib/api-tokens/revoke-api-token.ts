import { recordEvent } from '@/lib/audit/record-event'
import { prisma } from '@/lib/db/prisma'
import { AppError } from '@/lib/errors/app-error'
import type { ApiToken } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { isId, requireProject } from '@/lib/policy/require'
import { visibleProjects } from '@/lib/policy/visible'

/**
 * Revokes one of the person's account or workspace tokens; it is dead at the next request.
 * @throws AppError FORBIDDEN for apps and confined tokens, NOT_FOUND
 */
export async function revokeApiToken(actor: Actor, id: string): Promise<void> {
  authorizeAccount(actor)
  const token = isId(id)
    ? await prisma().apiToken.findFirst({ where: { id, userId: actor.userId, kind: { not: 'PROJECT' } } })
    : null
  if (!token) throw unknownToken(id)
  await remove(actor, token, token.workspaceId)
}

/**
 * Revokes a project token, whoever made it. Takes the role ADMIN in the project.
 * @throws AppError NOT_FOUND, and as `authorizeProject`
 */
export async function revokeProjectToken(actor: Actor, id: string): Promise<void> {
  const token = isId(id)
    ? await prisma().apiToken.findFirst({ where: { id, kind: 'PROJECT', project: visibleProjects(actor) } })
    : null
  if (!token?.projectId) throw unknownToken(id)
  const project = await requireProject(actor, 'project:manage-tokens', token.projectId)
  await remove(actor, token, project.workspaceId)
}

async function remove(actor: Actor, token: ApiToken, workspaceId: string | null): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.apiToken.deleteMany({ where: { id: token.id } })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action: 'api_token.revoked',
      resource: { type: 'api_token', id: token.id },
      workspaceId,
      details: { name: token.name, kind: token.kind },
    })
  })
}

const unknownToken = (id: string) =>
  new AppError('NOT_FOUND', 'There is no such token, or you cannot see it.', {
    resource: { type: 'api_token', id },
  })
