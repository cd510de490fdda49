import { type Actor, isApp } from './actor'
import type { JudgedApp } from './admission'
import { insufficientScope } from './authorize'
import { roleFromScopes } from './scopes'
import { staysOutside } from './two-factor'

/**
 * How far a caller reaches at most, whatever roles the person has: as data, from which `visible.ts` makes statements and
 * filters. A token without any scope for a list is an error that names the scope, never an empty list.
 */

/** The workspaces that a token reaches at most; `undefined`: every one in which the person has a role. */
export type WorkspaceReach = {
  /** Whose roles count; null for an installation, which knows what it reaches. */
  userId: string | null
  workspaceIds: readonly string[] | undefined
  /** Workspaces that ask for two factors are out of reach. */
  outside: boolean
  /** The app that reads; what a workspace does not admit it to is out of reach. */
  app: JudgedApp | undefined
}

/** The projects that a token reaches at most: those listed, and all in the workspaces listed. */
export type ProjectReach = {
  userId: string | null
  only: { workspaceIds: readonly string[]; projectIds: readonly string[] } | undefined
  /** Those in workspaces that ask for two factors are out of reach. */
  outside: boolean
  /** As in `WorkspaceReach`. */
  app: JudgedApp | undefined
}

const appOf = (actor: Actor): JudgedApp | undefined =>
  isApp(actor)
    ? {
        clientId: actor.clientId,
        workspaceId: actor.appWorkspaceId,
        installed: actor.kind === 'installation',
      }
    : undefined

/** @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope */
export function workspaceReach(actor: Actor): WorkspaceReach {
  const { userId } = actor
  const outside = staysOutside(actor)
  const app = appOf(actor)
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return { userId, outside, app, workspaceIds: undefined }
    case 'workspace-token':
      return { userId, outside, app, workspaceIds: [actor.workspaceId] }
    case 'project-token':
      return { userId, outside, app, workspaceIds: [] }
    case 'oauth':
    case 'installation':
      if (!roleFromScopes(actor.scopes, 'workspace')) throw insufficientScope('workspace:viewer')
      return { userId, outside, app, workspaceIds: actor.workspaceIds }
  }
}

/** @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope */
export function projectReach(actor: Actor): ProjectReach {
  const { userId } = actor
  const outside = staysOutside(actor)
  const app = appOf(actor)
  switch (actor.kind) {
    case 'session':
    case 'account-token':
      return { userId, outside, app, only: undefined }
    case 'workspace-token':
      return { userId, outside, app, only: { workspaceIds: [actor.workspaceId], projectIds: [] } }
    case 'project-token':
      return { userId, outside, app, only: { workspaceIds: [], projectIds: [actor.projectId] } }
    case 'oauth':
    case 'installation': {
      const workspaces = roleFromScopes(actor.scopes, 'workspace')
      const projects = roleFromScopes(actor.scopes, 'project')
      if (!workspaces && !projects) throw insufficientScope('project:viewer')
      return {
        userId,
        outside,
        app,
        only: {
          workspaceIds: workspaces ? actor.workspaceIds : [],
          projectIds: projects ? actor.projectIds : [],
        },
      }
    }
  }
}
