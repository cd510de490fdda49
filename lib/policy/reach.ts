import type { Actor } from './actor'
import { insufficientScope } from './authorize'
import { roleFromScopes } from './scopes'
import { staysOutside } from './two-factor'

/**
 * How far a caller reaches at most, whatever roles the person has: as data, from which `visible.ts` makes statements and
 * filters. A token without any scope for a list is an error that names the scope, never an empty list.
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
