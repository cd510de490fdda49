import { AppError } from '@/lib/base/errors/app-error'
import { type AccountTokenActor, type Actor, isApp, type SessionActor, type UserActor } from './actor'
import {
  type AppRules,
  admissionFor,
  admittedToProject,
  admittedToWorkspace,
  requireAdmission,
} from './app-policy'
import { type ProjectPermission, permissions, type WorkspacePermission } from './permissions'
import {
  higher,
  lowerRole,
  type ResourceType,
  type Role,
  roleFromScopes,
  roleIncludes,
  type Scope,
  scopeFor,
} from './scopes'
import { requireTwoFactor } from './two-factor'

/** The ID of a workspace, the user's current role in it, and its rules for the calling app. */
export type WorkspaceRights = AppRules & { id: string; workspaceRole: Role | undefined }
/** The IDs of a project and its workspace, the user's current roles in them, and the rules for the app. */
export type ProjectRights = AppRules & {
  id: string
  workspaceId: string
  workspaceRole: Role | undefined
  projectRole: Role | undefined
}

/** Returns an actor's role in a workspace before any limits. An app that is installed there has MEMBER. */
export const baseRoleIn = (
  actor: Actor,
  workspaceId: string,
  userRole: Role | undefined,
): Role | undefined =>
  actor.kind !== 'installation' ? userRole : actor.workspaceId === workspaceId ? 'MEMBER' : undefined

/** Returns the highest role that a session or token allows in a workspace. Undefined means no access. */
export function workspaceCap(actor: Actor, workspaceId: string): Role | undefined {
  switch (actor.kind) {
    case 'session':
      return 'ADMIN'
    case 'account-token':
      return actor.role
    case 'workspace-token':
      return actor.workspaceId === workspaceId ? actor.role : undefined
    case 'project-token':
      return undefined
    case 'oauth':
    case 'installation':
      return actor.workspaceIds.includes(workspaceId) ? roleFromScopes(actor.scopes, 'workspace') : undefined
  }
}

/** Returns the highest role that a session or token allows in a project, also through its workspace. */
export function projectCap(actor: Actor, project: { id: string; workspaceId: string }): Role | undefined {
  const throughWorkspace = workspaceCap(actor, project.workspaceId)
  if (actor.kind === 'project-token') return actor.projectId === project.id ? actor.role : undefined
  if (!isApp(actor) || !actor.projectIds.includes(project.id)) return throughWorkspace
  return higher(throughWorkspace, roleFromScopes(actor.scopes, 'project'))
}

/** Returns an actor's effective role in a workspace: `baseRoleIn`, capped by the token and the app policy. */
export const roleOfActorInWorkspace = (actor: Actor, workspace: WorkspaceRights): Role | undefined =>
  lowerRole(
    lowerRole(baseRoleIn(actor, workspace.id, workspace.workspaceRole), workspaceCap(actor, workspace.id)),
    admittedToWorkspace(admissionFor(actor, workspace.id, workspace)),
  )

/** Returns an actor's effective role in a project. */
export const roleOfActorInProject = (actor: Actor, project: ProjectRights): Role | undefined =>
  lowerRole(
    lowerRole(
      higher(baseRoleIn(actor, project.workspaceId, project.workspaceRole), project.projectRole),
      projectCap(actor, project),
    ),
    admittedToProject(admissionFor(actor, project.workspaceId, project), project.id),
  )

/**
 * Requires that an actor has a permission on a workspace, and records an app's access to the workspace
 * (`accessedWorkspaces`). Does not query the database: the callers, such as `requireWorkspace`, load the row.
 * @param workspace undefined if it does not exist
 * @throws AppError INSUFFICIENT_SCOPE (the app's scopes are not enough for any workspace), NOT_FOUND (no such
 * workspace, or no role in it), RESOURCE_NOT_SHARED (the token does not cover it), APP_NOT_APPROVED (the app
 * policy does not allow it), FORBIDDEN (the user's role or the token's role is too low)
 */
export function authorizeWorkspace(
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
  workspace: WorkspaceRights | undefined,
): void {
  const needed = permissions[permission].role
  const resource = { type: 'workspace', id }
  if (isApp(actor)) requireScope(actor, ['workspace'], needed)
  const role = workspace && baseRoleIn(actor, workspace.id, workspace.workspaceRole)
  if (!workspace || !role) throw notFound(resource)
  const cap = workspaceCap(actor, workspace.id)
  if (!cap) throw notShared(resource)
  const admission = admissionFor(actor, workspace.id, workspace)
  requireAdmission(admission, admittedToWorkspace(admission), needed, resource)
  requireRole(actor, role, cap, needed)
  recordAccess(actor, workspace.id)
}

/**
 * Requires that an actor has a permission on a project, and records an app's access to the project's
 * workspace (`accessedWorkspaces`). A workspace role also applies to the workspace's projects.
 * @param project undefined if it does not exist
 * @param asked the resource that NOT_FOUND and APP_NOT_APPROVED errors name, such as an environment
 * @throws the errors of `authorizeWorkspace` and `authorizeBeyondEnvironment`
 */
export function authorizeProject(
  actor: Actor,
  permission: ProjectPermission,
  id: string,
  project: ProjectRights | undefined,
  asked = { type: 'project', id },
): void {
  const needed = permissions[permission].role
  if (isApp(actor)) requireScope(actor, ['project', 'workspace'], needed)
  const role =
    project && higher(baseRoleIn(actor, project.workspaceId, project.workspaceRole), project.projectRole)
  if (!project || !role) throw notFound(asked)
  const cap = projectCap(actor, project)
  if (!cap) throw notShared({ type: 'project', id: project.id })
  authorizeBeyondEnvironment(actor, permission, project.id)
  const admission = admissionFor(actor, project.workspaceId, project)
  requireAdmission(admission, admittedToProject(admission, project.id), needed, asked)
  if (isApp(actor) && !roleIncludes(cap, needed)) throw beyondSelection(actor, project.id, needed)
  requireRole(actor, role, cap, needed)
  recordAccess(actor, project.workspaceId)
}

/**
 * Throws an error if a project list is empty because the actor cannot see any projects. Does nothing if the
 * workspace merely has no projects. The caller checks two-factor authentication separately.
 * @param workspace undefined if it does not exist; `anyProject` tells whether the user has a project role
 * @throws AppError NOT_FOUND (no such workspace, or no role in it and its projects), RESOURCE_NOT_SHARED (the
 * token does not cover the workspace), APP_NOT_APPROVED (the workspace does not allow the app, or only in
 * projects that the user cannot see)
 */
export function authorizeEmptyProjectList(
  actor: Actor,
  id: string,
  workspace: (WorkspaceRights & { anyProject: boolean }) | undefined,
): void {
  const resource = { type: 'workspace', id }
  const role = workspace && baseRoleIn(actor, workspace.id, workspace.workspaceRole)
  if (!workspace || !(role || workspace.anyProject)) throw notFound(resource)
  if (!workspaceCap(actor, workspace.id)) throw notShared(resource)
  const admission = admissionFor(actor, workspace.id, workspace)
  const admitted = admission.kind === 'within' && !admission.projectIds ? admission.projectRole : undefined
  requireAdmission(admission, admitted ?? admittedToWorkspace(admission), 'VIEWER', resource)
}

/**
 * Requires that an actor can access personal data. An app that acts for a user needs a scope, such as `email`
 * or `ssh_keys`. An account token needs a role. A session has all of the user's rights. Others have none.
 * @param needed the role that an account token needs: VIEWER to read, MEMBER to write, ADMIN for security
 * @throws AppError INSUFFICIENT_SCOPE naming the scope; FORBIDDEN for app installations, workspace tokens,
 *   project tokens, and limited account tokens
 */
export function authorizePersonal(
  actor: Actor,
  scope: Scope,
  needed: Role = 'VIEWER',
): asserts actor is UserActor {
  requireUser(actor)
  if (actor.kind === 'oauth') {
    if (!actor.scopes.has(scope)) throw insufficientScope(scope)
  } else if (actor.kind === 'account-token') {
    requireCap(actor, actor.role, needed)
  } else if (actor.kind === 'workspace-token' || actor.kind === 'project-token') {
    throw new AppError(
      'FORBIDDEN',
      'This token belongs to a workspace or project. Use an account token for personal data.',
    )
  }
}

/**
 * Requires that an app can read a member's name or email address. For the authorizing user, the `profile` or
 * `email` scope is enough. Otherwise, a name requires the permission to read the workspace's members, and an
 * email address requires the permission to manage them. Does nothing for sessions and API tokens, because
 * they can read the names and email addresses of all members that the user can see. See ADR 0018.
 * @param member the member, with the user's own role in the workspace
 * @throws the errors of `authorizeWorkspace`
 */
export function authorizeMemberField(
  actor: Actor,
  field: 'name' | 'email',
  member: AppRules & { id: string; workspaceId: string; myRole: Role | null },
): void {
  if (!isApp(actor)) return
  if (member.id === actor.userId && actor.scopes.has(field === 'name' ? 'profile' : 'email')) return
  const permission = field === 'name' ? 'workspace:read-members' : 'workspace:manage-members'
  const { workspaceId: id, myRole, appPolicy, appDecision } = member
  const rights = { id, workspaceRole: myRole ?? undefined, appPolicy, appDecision }
  authorizeWorkspace(actor, permission, id, rights)
}

/**
 * Requires a user, or a token that acts for a user.
 * @throws AppError FORBIDDEN for an app installation
 */
export function requireUser(actor: Actor): asserts actor is UserActor {
  if (actor.kind === 'installation') {
    throw new AppError('FORBIDDEN', 'This action requires a user, not an app installation.')
  }
}

/** Returns the ID of the user who acts or whom a token represents. @throws the errors of `requireUser` */
export function userOf(actor: Actor): string {
  requireUser(actor)
  return actor.userId
}

/**
 * Requires that an app that acts for a user has a scope. Sessions and API tokens need no scope.
 * @throws AppError INSUFFICIENT_SCOPE naming the scope; FORBIDDEN for an app installation
 */
export function authorizeApp(actor: Actor, scope: Scope): asserts actor is UserActor {
  requireUser(actor)
  if (actor.kind === 'oauth' && !actor.scopes.has(scope)) throw insufficientScope(scope)
}

/**
 * Requires a browser session, or an account token with the ADMIN role. Use this for actions that neither apps
 * nor limited tokens can perform. Otherwise, a limited token could create an unlimited one, for example.
 * @throws AppError FORBIDDEN
 */
export function authorizeAccount(actor: Actor): asserts actor is SessionActor | AccountTokenActor {
  if (actor.kind !== 'session' && actor.kind !== 'account-token') {
    throw new AppError(
      'FORBIDDEN',
      'Apps and tokens with limited access can’t perform this action. Sign in, or use an account token with the ADMIN role.',
    )
  }
  if (actor.kind === 'account-token') requireCap(actor, actor.role, 'ADMIN')
}

/**
 * Requires that an actor can request a change to its user's sign-in methods: the user in a browser, or an
 * account token with the ADMIN role, which also needs the user's approval (`consumeFactorApproval`). /mcp
 * tools cannot request such changes, because prompt injection could make a model request an attack.
 * @throws AppError FORBIDDEN for apps, for /mcp tools, and for tokens that are limited to a workspace, a
 * project, or a role
 */
export function authorizeFactorChange(actor: Actor): asserts actor is SessionActor | AccountTokenActor {
  authorizeAccount(actor)
  if (actor.tool) {
    throw new AppError(
      'FORBIDDEN',
      'MCP tools can’t change sign-in methods. The user can change them under Account > Security.',
    )
  }
}

/**
 * Requires an instance admin in a browser session.
 * @throws AppError FORBIDDEN, or TWO_FACTOR_REQUIRED if the session lacks required two-factor authentication
 */
export function authorizeInstance(actor: Actor): asserts actor is SessionActor {
  if (actor.kind !== 'session' || !actor.instanceAdmin) throw new AppError('FORBIDDEN')
  requireTwoFactor(actor, 'operating')
}

/**
 * Requires an instance admin's browser session, or an account token with the ADMIN role. Managing the
 * registered APIs is the only instance admin action that a token can perform. `lockInstanceAdminRole` and
 * `requireApiAdmin` check whether a token's user is an instance admin. This function does not.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED
 */
export function authorizeApis(actor: Actor): asserts actor is SessionActor | AccountTokenActor {
  if (actor.kind === 'session') return authorizeInstance(actor)
  if (actor.kind !== 'account-token' || actor.role !== 'ADMIN') {
    throw new AppError(
      'FORBIDDEN',
      'Only instance admins can perform this action. If you use a token, it must be an account token with the ADMIN role.',
    )
  }
  requireTwoFactor(actor, 'operating')
}

function requireScope(
  actor: Actor & { scopes: ReadonlySet<string> },
  families: ResourceType[],
  needed: Role,
): void {
  // Do not report a missing scope, because no scope would help: app installations are never admins.
  if (actor.kind === 'installation' && needed === 'ADMIN') {
    throw new AppError('FORBIDDEN', 'This action requires the ADMIN role. App installations can’t have it.', {
      requiredRole: needed,
    })
  }
  if (families.some((family) => roleIncludes(roleFromScopes(actor.scopes, family), needed))) return
  throw insufficientScope(scopeFor(families[0] as ResourceType, needed))
}

/**
 * Returns the error for an app whose scopes and selection allow too low a role in a project. The error is
 * RESOURCE_NOT_SHARED if the `project:*` scope is enough but the project is not selected. Otherwise, it is
 * INSUFFICIENT_SCOPE.
 */
function beyondSelection(actor: Actor & { scopes: ReadonlySet<string> }, id: string, needed: Role): AppError {
  if (roleIncludes(roleFromScopes(actor.scopes, 'project'), needed)) return notShared({ type: 'project', id })
  return insufficientScope(scopeFor('project', needed))
}

function requireRole(actor: Actor, role: Role, cap: Role, needed: Role): void {
  if (!roleIncludes(role, needed)) {
    throw new AppError('FORBIDDEN', `This action requires the ${needed} role, but your role is ${role}.`, {
      requiredRole: needed,
      role,
    })
  }
  requireCap(actor, cap, needed)
}

function requireCap(actor: Actor, cap: Role, needed: Role): void {
  if (roleIncludes(cap, needed)) return
  throw new AppError(
    'FORBIDDEN',
    `This action requires the ${needed} role, but this ${actor.kind.replace('-', ' ')} is limited to ${cap}.`,
    { requiredRole: needed, role: cap },
  )
}

/** Returns the error for a missing scope. The error names the scope but no resource. */
export const insufficientScope = (scope: Scope) =>
  new AppError('INSUFFICIENT_SCOPE', `This action requires the scope ${scope}.`, { requiredScope: scope })

const notFound = (resource: { type: string; id: string }) =>
  new AppError('NOT_FOUND', `The ${resource.type} was not found, or you don’t have access to it.`, {
    resource,
  })

const notShared = (resource: { type: string; id: string }) =>
  new AppError('RESOURCE_NOT_SHARED', `This token doesn’t have access to this ${resource.type}.`, {
    resource,
  })

/**
 * A token for one environment can access only that environment. In the environment's project, it has only the
 * permissions marked with `inEnvironment`. Functions that read or change an environment call
 * `authorizeProject` or `requireProject`, and then `environmentRefusal`. See ADR 0017.
 */

/** Returns the ID of the only environment that an actor can access, or null if there is no such limit. */
export const onlyEnvironment = (actor: Actor): string | null =>
  actor.kind === 'project-token' ? (actor.environmentId ?? null) : null

/** Rejects a token for one environment (RESOURCE_NOT_SHARED), except for permissions with `inEnvironment`. */
export function authorizeBeyondEnvironment(
  actor: Actor,
  permission: ProjectPermission,
  projectId: string,
): void {
  if (onlyEnvironment(actor) === null || 'inEnvironment' in permissions[permission]) return
  throw new AppError(
    'RESOURCE_NOT_SHARED',
    'This token is limited to one environment, but this action affects the whole project. Use another token.',
    { resource: { type: 'project', id: projectId } },
  )
}

/**
 * Returns the error for an actor that can access a project but not this environment of the project. Returns
 * undefined if the actor can access the environment.
 */
export function environmentRefusal(actor: Actor, id: string): AppError | undefined {
  const only = onlyEnvironment(actor)
  if (only === null || only === id) return undefined
  return new AppError('RESOURCE_NOT_SHARED', 'This token doesn’t have access to this environment.', {
    resource: { type: 'environment', id },
  })
}

const reached = new WeakMap<Actor, Set<string>>()

/** Records that a workspace allowed an app's request. Does nothing for other actors. */
function recordAccess(actor: Actor, workspaceId: string): void {
  if (!isApp(actor)) return
  const known = reached.get(actor)
  if (known) known.add(workspaceId)
  else reached.set(actor, new Set([workspaceId]))
}

/**
 * Returns the IDs of the workspaces that allowed the calling app's request. Omits workspaces that the app
 * received only in lists. The IDs are recorded by actor, because each request has its own actor object.
 */
export const accessedWorkspaces = (actor: Actor): ReadonlySet<string> => reached.get(actor) ?? none

const none: ReadonlySet<string> = new Set()
