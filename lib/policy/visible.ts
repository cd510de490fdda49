import { AppError } from '@/lib/base/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from './actor'
import { roleFromScopes, type Scope } from './scopes'
import { staysOutside } from './two-factor'

/**
 * What an actor may see, so that a list never loads what it must then drop: as data for hand-written statements
 * (`workspaceReach`, `projectReach`) and as where clauses (`visibleWorkspaces`, `visibleProjects`).
 * A token without any scope for a list is an error that names the scope, never an empty list.
 */

/** The workspaces that a token reaches at most; `undefined`: every one in which the person has a role. */
export type WorkspaceReach = {
  userId: string
  workspaceIds: readonly string[] | undefined
  /** Workspaces that ask for two factors are out of reach. */
  outside: boolean
}

/** The projects that a token reaches at most: those listed, and all in the workspaces listed. */
export type ProjectReach = {
  userId: string
  only: { workspaceIds: readonly string[]; projectIds: readonly string[] } | undefined
  /** Those in workspaces that ask for two factors are out of reach. */
  outside: boolean
}

/** @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope */
export function workspaceReach(actor: Actor): WorkspaceReach {
  const { userId } = actor
  const outside = staysOutside(actor)
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return { userId, outside, workspaceIds: undefined }
    case 'workspace-token':
      return { userId, outside, workspaceIds: [actor.workspaceId] }
    case 'project-token':
      return { userId, outside, workspaceIds: [] }
    case 'oauth':
      if (!roleFromScopes(actor.scopes, 'workspace')) throw insufficientScope('workspace:viewer')
      return { userId, outside, workspaceIds: actor.workspaceIds }
  }
}

/** @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope */
export function projectReach(actor: Actor): ProjectReach {
  const { userId } = actor
  const outside = staysOutside(actor)
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return { userId, outside, only: undefined }
    case 'workspace-token':
      return { userId, outside, only: { workspaceIds: [actor.workspaceId], projectIds: [] } }
    case 'project-token':
      return { userId, outside, only: { workspaceIds: [], projectIds: [actor.projectId] } }
    case 'oauth': {
      const workspaces = roleFromScopes(actor.scopes, 'workspace')
      const projects = roleFromScopes(actor.scopes, 'project')
      if (!workspaces && !projects) throw insufficientScope('project:viewer')
      return {
        userId,
        outside,
        only: {
          workspaceIds: workspaces ? actor.workspaceIds : [],
          projectIds: projects ? actor.projectIds : [],
        },
      }
    }
  }
}

/** The workspaces an actor sees. @throws as `workspaceReach` */
export function visibleWorkspaces(actor: Actor): Prisma.WorkspaceWhereInput {
  const { userId, workspaceIds } = workspaceReach(actor)
  const mine: Prisma.WorkspaceWhereInput = { members: { some: { userId } }, ...openTo(actor) }
  return workspaceIds ? { AND: [mine, { id: { in: [...workspaceIds] } }] } : mine
}

/** The projects an actor sees. @throws as `projectReach` */
export function visibleProjects(actor: Actor): Prisma.ProjectWhereInput {
  const { userId, only } = projectReach(actor)
  const mine: Prisma.ProjectWhereInput = {
    OR: [{ workspace: { members: { some: { userId } } } }, { members: { some: { userId } } }],
    ...(staysOutside(actor) ? { workspace: openTo(actor) } : {}),
  }
  if (!only) return mine
  const { workspaceIds, projectIds } = only
  return {
    AND: [mine, { OR: [{ workspaceId: { in: [...workspaceIds] } }, { id: { in: [...projectIds] } }] }],
  }
}

/** What keeps whoever has shown one factor out of workspaces that ask for two. */
const openTo = (actor: Actor): { requireTwoFactor?: false } =>
  staysOutside(actor) ? { requireTwoFactor: false } : {}

const insufficientScope = (scope: Scope) =>
  new AppError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}.`, { requiredScope: scope })
