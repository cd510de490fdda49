import { AppError } from '@/lib/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from './actor'
import { roleFromScopes } from './scopes'

/**
 * What an actor may see, as where clauses, so that a list never loads what it must then drop.
 * A token without any scope for a list is an error that names the scope, never an empty list.
 */

const nothing = { id: { in: [] as string[] } }

/** The workspaces an actor sees. @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope */
export function visibleWorkspaces(actor: Actor): Prisma.WorkspaceWhereInput {
  const mine: Prisma.WorkspaceWhereInput = { members: { some: { userId: actor.userId } } }
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return mine
    case 'workspace-token':
      return { AND: [mine, { id: actor.workspaceId }] }
    case 'project-token':
      return nothing
    case 'oauth':
      if (!roleFromScopes(actor.scopes, 'workspace')) {
        throw new AppError('INSUFFICIENT_SCOPE', 'This needs the scope workspace:viewer.', {
          requiredScope: 'workspace:viewer',
        })
      }
      return { AND: [mine, { id: { in: [...actor.workspaceIds] } }] }
  }
}

/** The projects an actor sees. @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope */
export function visibleProjects(actor: Actor): Prisma.ProjectWhereInput {
  const mine: Prisma.ProjectWhereInput = {
    OR: [
      { workspace: { members: { some: { userId: actor.userId } } } },
      { members: { some: { userId: actor.userId } } },
    ],
  }
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return mine
    case 'workspace-token':
      return { AND: [mine, { workspaceId: actor.workspaceId }] }
    case 'project-token':
      return { AND: [mine, { id: actor.projectId }] }
    case 'oauth': {
      const shared: Prisma.ProjectWhereInput[] = []
      if (roleFromScopes(actor.scopes, 'workspace'))
        shared.push({ workspaceId: { in: [...actor.workspaceIds] } })
      if (roleFromScopes(actor.scopes, 'project')) shared.push({ id: { in: [...actor.projectIds] } })
      if (shared.length === 0) {
        throw new AppError('INSUFFICIENT_SCOPE', 'This needs the scope project:viewer.', {
          requiredScope: 'project:viewer',
        })
      }
      return { AND: [mine, { OR: shared }] }
    }
  }
}
