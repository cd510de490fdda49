import { lowestId } from '@/lib/base/db/paging'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Actor, isApp } from './actor'
import {
  admittedInstallation,
  admittedProject,
  admittedProjects,
  admittedWorkspace,
  admittedWorkspaces,
  type JudgedApp,
} from './app-policy'
import { insufficientScope } from './authorize'
import { rolesWith, type WorkspacePermission } from './permissions'
import { roleFromScopes } from './scopes'
import { lacksTwoFactor } from './two-factor'

/**
 * The rules for visible workspaces and projects, both as SQL for named statements and as a filter for Prisma,
 * so that a list never loads rows that the caller cannot see (ADR 0017). In the SQL, `w` is a row of
 * workspaces and `p` is a row of projects. `roleInWorkspace` and `roleInProject` join the user's roles. A
 * statement's first parameters are `workspaceValues` or `projectValues`, followed by its own parameters.
 */
type Rules<Reach, Filter> = Record<
  'known' | 'open' | 'shared' | 'admitted',
  { sql: string; filter: (reach: Reach) => Filter }
>

/**
 * SQL: whether the caller is an app installation. An installation has no user and therefore no roles, and can
 * access only the selected workspace or projects.
 */
const isInstallation = '($1::uuid IS NULL AND $3::uuid[] IS NOT NULL)'

const hasRoleInWorkspace = 'wm.role IS NOT NULL'
const sharedWorkspace = (id: string) => `($3::uuid[] IS NULL OR ${id} = ANY ($3))`
const hasRoleInProject = '(wm.role IS NOT NULL OR pm.role IS NOT NULL)'

const workspaceRules: Rules<WorkspaceReach, Prisma.WorkspaceWhereInput> = {
  known: {
    sql: `(${hasRoleInWorkspace} OR ${isInstallation})`,
    filter: ({ userId }) => (userId === null ? {} : { members: { some: { userId } } }),
  },
  open: {
    sql: 'NOT ($2 AND w.require_two_factor)',
    filter: ({ outside }) => (outside ? { requireTwoFactor: false } : {}),
  },
  shared: {
    sql: sharedWorkspace('w.id'),
    filter: ({ workspaceIds }) => (workspaceIds ? { id: { in: [...workspaceIds] } } : {}),
  },
  admitted: {
    sql: `($4::text IS NULL OR CASE WHEN ${isInstallation} THEN ${admittedInstallation('$4', '$5::uuid')}
                              ELSE ${admittedWorkspace('$4', '$5::uuid')} END)`,
    filter: ({ app }) => (app ? admittedWorkspaces(app) : {}),
  },
}

const projectRules: Rules<ProjectReach, Prisma.ProjectWhereInput> = {
  known: {
    sql: `(${hasRoleInProject} OR ${isInstallation})`,
    filter: ({ userId }) =>
      userId === null
        ? {}
        : { OR: [{ workspace: { members: { some: { userId } } } }, { members: { some: { userId } } }] },
  },
  open: {
    sql: workspaceRules.open.sql,
    filter: ({ outside }) => (outside ? { workspace: { requireTwoFactor: false } } : {}),
  },
  shared: {
    sql: '($3::uuid[] IS NULL OR w.id = ANY ($3) OR p.id = ANY ($6::uuid[]))',
    filter: ({ only }) =>
      only
        ? { OR: [{ workspaceId: { in: [...only.workspaceIds] } }, { id: { in: [...only.projectIds] } }] }
        : {},
  },
  admitted: {
    sql: `($4::text IS NULL OR CASE WHEN ${isInstallation} THEN ${admittedInstallation('$4', '$5::uuid')}
                              ELSE ${admittedProject('$4', '$5::uuid')} END)`,
    filter: ({ app }) => (app ? admittedProjects(app) : {}),
  },
}

const all = (rules: Rules<never, unknown>): string =>
  `${rules.known.sql} AND ${rules.open.sql} AND ${rules.shared.sql} AND ${rules.admitted.sql}`

/** SQL: whether the caller can see the workspace `w`. */
export const visibleWorkspace = all(workspaceRules)

/**
 * SQL: the workspaces `w` that a user can see, with `wm`, the user's role. This SQL omits the rules for
 * installations, so that PostgreSQL can use one plan for all requests.
 */
export const workspacesOfUser = `workspace_members wm JOIN workspaces w ON w.id = wm.workspace_id
  WHERE wm.user_id = $1 AND ${sharedWorkspace('wm.workspace_id')} AND ${workspaceRules.open.sql}
    AND ($4::text IS NULL OR ${admittedWorkspace('$4', '$5::uuid')})`

/** SQL: whether the caller can see the project `p` of the workspace `w`. */
export const visibleProject = all(projectRules)

/** The parameters $1 to $5 of a statement that lists workspaces. */
export type WorkspaceValues = [
  userId: string | null,
  outside: boolean,
  workspaceIds: readonly string[] | null,
  clientId: string | null,
  appWorkspaceId: string | null,
]
/** Returns the parameters for an actor. @throws the errors of `workspaceReach` */
export function workspaceValues(actor: Actor): WorkspaceValues {
  const { userId, outside, workspaceIds, app } = workspaceReach(actor)
  return [userId, outside, workspaceIds ?? null, app?.clientId ?? null, app?.workspaceId ?? null]
}

/** The parameters $1 to $6 of a statement that lists projects. */
export type ProjectValues = [...WorkspaceValues, projectIds: readonly string[] | null]
/** Returns the parameters for an actor. @throws the errors of `projectReach` */
export function projectValues(actor: Actor): ProjectValues {
  const { userId, outside, only, app } = projectReach(actor)
  return [
    userId,
    outside,
    only?.workspaceIds ?? null,
    app?.clientId ?? null,
    app?.workspaceId ?? null,
    only?.projectIds ?? null,
  ]
}

/** Returns SQL that joins `wm`, the role of a user in a workspace, if any. */
export const roleInWorkspace = (workspaceId = 'w.id', userId = '$1'): string =>
  `LEFT JOIN workspace_members wm ON wm.workspace_id = ${workspaceId} AND wm.user_id = ${userId}`

/** Returns SQL that joins `pm`, the role of a user in the project `p` itself, if any. */
export const roleInProject = (userId = '$1'): string =>
  `LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.user_id = ${userId}`

/** SQL that joins `pm`, the role in the project `p`, for users without a role in the workspace. */
export const externalUsersRoleInProject = `LEFT JOIN LATERAL (
  SELECT role FROM project_members WHERE wm.role IS NULL AND project_id = p.id AND user_id = $1 OFFSET 0) pm ON true`

/**
 * Returns SQL that joins one row by its ID through the index. Without `OFFSET 0`, PostgreSQL would
 * overestimate the size of a union and scan the whole table.
 */
const joinById = (table: 'workspaces' | 'projects', alias: string, id: string): string =>
  `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE id = ${id} OFFSET 0) ${alias}`

/** Returns SQL that joins `w`, the workspace with the given ID. */
export const workspaceById = (id: string): string => joinById('workspaces', 'w', id)

/**
 * SQL: the IDs of the workspaces in which a user has a role, directly or in a project. The token's limits are
 * not applied.
 */
export const knownWorkspaceIds = `(SELECT workspace_id AS id FROM workspace_members WHERE user_id = $1
  UNION SELECT p.workspace_id FROM project_members pm ${joinById('projects', 'p', 'pm.project_id')} WHERE pm.user_id = $1)`

/**
 * SQL for a statement with `projectValues`: the IDs in `knownWorkspaceIds`, plus the workspace of an app
 * installation. Installations have no roles, so `knownWorkspaceIds` does not contain that workspace.
 */
export const accessibleWorkspaceIds = `(${knownWorkspaceIds}
  UNION SELECT unnest($3::uuid[]) WHERE ${isInstallation}
  UNION SELECT p.workspace_id FROM projects p WHERE p.id = ANY ($6::uuid[]) AND ${isInstallation})`

/**
 * Returns SQL: up to `most` of the IDs in `knownWorkspaceIds` for roles in workspaces, and up to `most` for
 * roles in projects, without reading the other IDs.
 * @param slugs SQL of an array of slugs; workspaces with these slugs are always included, even if the user
 * has no role in them
 */
export const limitedWorkspaceIds = (most: string, slugs: string): string =>
  `((SELECT workspace_id AS id FROM workspace_members WHERE user_id = $1 LIMIT ${most})
  UNION (SELECT p.workspace_id FROM (SELECT project_id FROM project_members WHERE user_id = $1 LIMIT ${most}) pm
    ${joinById('projects', 'p', 'pm.project_id')})
  UNION (SELECT id FROM workspaces WHERE slug = ANY (${slugs})))`

/**
 * SQL: whether the user has a role in the workspace `w` or in one of its projects. The token's limits are not
 * applied.
 */
export const hasRoleInWorkspaceOrProject = `(wm.role IS NOT NULL OR EXISTS (
  SELECT FROM project_members pm ${joinById('projects', 'p', 'pm.project_id')}
   WHERE pm.user_id = $1 AND p.workspace_id = w.id))`

/** SQL expressions for an app's client ID and for the workspace that runs the app. */
type AppColumns = { clientId: string; workspaceId: string }

/**
 * Returns SQL: whether at least one of the given workspaces allows an app and the user has a role in that
 * workspace or in one of its projects. The parameter $1 must also be the user's ID, because the condition on
 * projects uses $1. The token's limits are not applied.
 */
export const sharesWorkspaceOf = (ids: string, userId: string, app: AppColumns): string =>
  `EXISTS (SELECT FROM unnest(${ids}) AS one(id) ${workspaceById('one.id')} ${roleInWorkspace('w.id', userId)}
    WHERE ${hasRoleInWorkspaceOrProject} AND ${admittedWorkspace(app.clientId, app.workspaceId)})`

/**
 * Returns SQL: whether the workspace of at least one of the given projects allows an app to access that
 * project and the user has a role in the project or the workspace. The token's limits are not applied.
 */
export const sharesProjectOf = (ids: string, userId: string, app: AppColumns): string =>
  `EXISTS (SELECT FROM projects p ${workspaceById('p.workspace_id')} ${roleInWorkspace('w.id', userId)} ${roleInProject(userId)}
    WHERE p.id = ANY (${ids}) AND ${hasRoleInProject} AND ${admittedProject(app.clientId, app.workspaceId)})`

/** Returns a filter for the workspaces that an actor can see. @throws the errors of `workspaceReach` */
export const visibleWorkspaces = (actor: Actor): Prisma.WorkspaceWhereInput =>
  combineRules(workspaceRules, workspaceReach(actor))

/** Returns a filter for the projects that an actor can see. @throws the errors of `projectReach` */
export const visibleProjects = (actor: Actor): Prisma.ProjectWhereInput =>
  combineRules(projectRules, projectReach(actor))

/** Returns a filter for the workspaces in which a user has a role. A token's limits are not applied. */
export const knownWorkspaces = (userId: string): Prisma.WorkspaceWhereInput =>
  workspaceRules.known.filter({ userId, outside: false, app: undefined, workspaceIds: undefined })

/** Returns a filter for the projects in which a user has a role. A token's limits are not applied. */
export const knownProjects = (userId: string): Prisma.ProjectWhereInput =>
  projectRules.known.filter({ userId, outside: false, app: undefined, only: undefined })

/**
 * Returns a filter for the workspaces in which the role of an actor's user has a permission. If the actor
 * lacks two-factor authentication, excludes workspaces that require it. A token's other limits are not
 * applied.
 */
export const workspacesWith = (
  actor: Actor,
  permission: WorkspacePermission,
): Prisma.WorkspaceWhereInput => ({
  // An app installation has no user. For an installation, use the nil UUID, which matches no member.
  members: { some: { userId: actor.userId ?? lowestId, role: { in: rolesWith(permission) } } },
  ...(lacksTwoFactor(actor) ? { requireTwoFactor: false } : {}),
})

const combineRules = <Reach, Filter>(rules: Rules<Reach, Filter>, reach: Reach) => ({
  AND: [
    rules.known.filter(reach),
    rules.open.filter(reach),
    rules.shared.filter(reach),
    rules.admitted.filter(reach),
  ],
})

/**
 * The following types describe the maximum access of a caller. The user's roles limit this access further.
 * This module converts the types to SQL parameters and to Prisma filters. If an app has no scope for a list,
 * the result is an error that names a sufficient scope, never an empty list.
 */

/**
 * The maximum set of workspaces that a token can access. If `workspaceIds` is undefined, these are all
 * workspaces in which the user has a role.
 */
export type WorkspaceReach = {
  /** The user whose roles apply. Null for an app installation. */
  userId: string | null
  workspaceIds: readonly string[] | undefined
  /** Whether workspaces that require two-factor authentication are excluded. */
  outside: boolean
  /**
   * The calling app, which is limited by the app policy of each workspace. Undefined if the caller is not an
   * app.
   */
  app: JudgedApp | undefined
}

/**
 * The maximum set of projects that a token can access: the listed projects, and all projects in the listed
 * workspaces. If `only` is undefined, these are all projects in which the user has a role.
 */
export type ProjectReach = {
  userId: string | null
  only: { workspaceIds: readonly string[]; projectIds: readonly string[] } | undefined
  /** Whether projects in workspaces that require two-factor authentication are excluded. */
  outside: boolean
  /** See `WorkspaceReach`. */
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

/**
 * Returns the maximum access to workspaces. @throws AppError INSUFFICIENT_SCOPE if an app has no
 * `workspace:*` scope
 */
function workspaceReach(actor: Actor): WorkspaceReach {
  const { userId } = actor
  const outside = lacksTwoFactor(actor)
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

/**
 * Returns the maximum access to projects.
 * @throws AppError INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope
 */
function projectReach(actor: Actor): ProjectReach {
  const { userId } = actor
  const outside = lacksTwoFactor(actor)
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
