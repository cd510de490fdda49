import { AppError } from '@/lib/base/errors/app-error'
import { type AccountTokenActor, type Actor, isApp, type PersonActor, type SessionActor } from './actor'
import {
  type AppRules,
  admissionFor,
  admittedToProject,
  admittedToWorkspace,
  requireAdmission,
} from './app-policy'
import { type ProjectPermission, permissions, type WorkspacePermission } from './permissions'
import {
  capped,
  higher,
  type ResourceType,
  type Role,
  reaches,
  roleFromScopes,
  type Scope,
  scopeFor,
} from './scopes'
import { requireTwoFactor } from './two-factor'

/**
 * A workspace or project as rights see it: its ids, the person's current roles there, and which apps the workspace lets in.
 */
export type WorkspaceRights = AppRules & { id: string; workspaceRole: Role | undefined }
export type ProjectRights = AppRules & {
  id: string
  workspaceId: string
  workspaceRole: Role | undefined
  projectRole: Role | undefined
}

/** The role that an actor starts from in a workspace: the person's, or a member's for an app installed there. */
export const standingIn = (
  actor: Actor,
  workspaceId: string,
  personRole: Role | undefined,
): Role | undefined =>
  actor.kind !== 'installation' ? personRole : actor.workspaceId === workspaceId ? 'MEMBER' : undefined

/** The highest role a token can have in a workspace; undefined when the workspace was not shared with it. */
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

/** The highest role a token can have in a project, through the project itself or through its workspace. */
export function projectCap(actor: Actor, project: { id: string; workspaceId: string }): Role | undefined {
  const throughWorkspace = workspaceCap(actor, project.workspaceId)
  if (actor.kind === 'project-token') return actor.projectId === project.id ? actor.role : undefined
  if (!isApp(actor) || !actor.projectIds.includes(project.id)) return throughWorkspace
  return higher(throughWorkspace, roleFromScopes(actor.scopes, 'project'))
}

/** The role an actor has in a workspace in the end: the person's, no higher than token and workspace allow. */
export const roleOfActorInWorkspace = (actor: Actor, workspace: WorkspaceRights): Role | undefined =>
  capped(
    capped(standingIn(actor, workspace.id, workspace.workspaceRole), workspaceCap(actor, workspace.id)),
    admittedToWorkspace(admissionFor(actor, workspace.id, workspace)),
  )

/** The same in a project. */
export const roleOfActorInProject = (actor: Actor, project: ProjectRights): Role | undefined =>
  capped(
    capped(
      higher(standingIn(actor, project.workspaceId, project.workspaceRole), project.projectRole),
      projectCap(actor, project),
    ),
    admittedToProject(admissionFor(actor, project.workspaceId, project), project.id),
  )

/**
 * Decides whether an actor may do something to a workspace. Reads nothing; `requireWorkspace` loads and asks.
 * @param workspace undefined when there is none, or none the person has a role in
 * @throws AppError INSUFFICIENT_SCOPE (the token's scopes never reach this, whatever the resource), NOT_FOUND (no such
 *   workspace, or none of the person's), RESOURCE_NOT_SHARED (not selected for this token), APP_NOT_APPROVED (the workspace
 *   does not let the app in, or not so far), FORBIDDEN (the role is too low)
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
  const role = workspace && standingIn(actor, workspace.id, workspace.workspaceRole)
  if (!workspace || !role) throw notFound(resource)
  const cap = workspaceCap(actor, workspace.id)
  if (!cap) throw notShared(resource)
  const admission = admissionFor(actor, workspace.id, workspace)
  requireAdmission(admission, admittedToWorkspace(admission), needed, resource)
  requireRole(actor, role, cap, needed)
  noteReached(actor, workspace.id)
}

/**
 * Decides whether an actor may do something to a project. A workspace role carries over to its projects.
 * @param project undefined when there is none, or none the person has a role in
 * @param asked what the caller named, when it is something in the project
 * @throws as `authorizeWorkspace`
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
    project && higher(standingIn(actor, project.workspaceId, project.workspaceRole), project.projectRole)
  if (!project || !role) throw notFound(asked)
  const cap = projectCap(actor, project)
  if (!cap) throw notShared({ type: 'project', id: project.id })
  authorizeBeyondEnvironment(actor, permission, project.id)
  const admission = admissionFor(actor, project.workspaceId, project)
  requireAdmission(admission, admittedToProject(admission, project.id), needed, asked)
  if (isApp(actor) && !reaches(cap, needed)) throw beyondSelection(actor, project.id, needed)
  requireRole(actor, role, cap, needed)
  noteReached(actor, project.workspaceId)
}

/**
 * Decides what an empty list of a workspace's projects means: that there are none, or that none may be seen.
 * @param workspace undefined when there is none; `anyProject`: the person has a role in one of its projects
 * @throws AppError NOT_FOUND, RESOURCE_NOT_SHARED (neither the workspace nor a project of it was selected),
 *   APP_NOT_APPROVED (the workspace does not let the app in, or approved it for projects that are not there)
 */
export function authorizeEmptyProjectList(
  actor: Actor,
  id: string,
  workspace: (WorkspaceRights & { anyProject: boolean }) | undefined,
): void {
  const resource = { type: 'workspace', id }
  const role = workspace && standingIn(actor, workspace.id, workspace.workspaceRole)
  if (!workspace || !(role || workspace.anyProject)) throw notFound(resource)
  if (!workspaceCap(actor, workspace.id)) throw notShared(resource)
  const admission = admissionFor(actor, workspace.id, workspace)
  const admitted = admission.kind === 'within' && !admission.projectIds ? admission.projectRole : undefined
  requireAdmission(admission, admitted ?? admittedToWorkspace(admission), 'VIEWER', resource)
}

/**
 * Requires a scope that is not about a resource, such as `email` or `ssh_keys`. Only OAuth tokens carry scopes: a session
 * may do what the person may, an account token as far as its role goes; workspace and project tokens do not speak for the
 * person.
 * @param needed the role it takes of an account token: VIEWER to read, MEMBER to write, ADMIN for what guards the account
 * @throws AppError INSUFFICIENT_SCOPE naming the scope, or FORBIDDEN for workspace and project tokens and for limited
 *   account tokens
 */
export function authorizePersonal(
  actor: Actor,
  scope: Scope,
  needed: Role = 'VIEWER',
): asserts actor is PersonActor {
  requirePerson(actor)
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
 * Requires what it takes an app to read of a member of a workspace or of a project in it. `profile` and `email` are about
 * the person who let the app in and nobody else: others' names take a `workspace:*` scope with the workspace shared, their
 * addresses the right to manage members there. Every other caller reads what the person sees.
 * See ADR 0023.
 * @param member whose name, picture or address it is, with the person's own role in the workspace
 * @throws AppError as `authorizeWorkspace`
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
 * Requires that somebody asks, or a token that acts for them.
 * @throws AppError FORBIDDEN for an app that is installed in a workspace
 */
export function requirePerson(actor: Actor): asserts actor is PersonActor {
  if (actor.kind === 'installation') {
    throw new AppError('FORBIDDEN', 'This token acts for an app installation, not for a user.')
  }
}

/** The person who asks, or for whom a token asks. @throws as `requirePerson` */
export function personOf(actor: Actor): string {
  requirePerson(actor)
  return actor.userId
}

/**
 * Requires a scope of apps alone, for what every other caller may read.
 * @throws AppError INSUFFICIENT_SCOPE naming the scope
 */
export function authorizeApp(actor: Actor, scope: Scope): asserts actor is PersonActor {
  requirePerson(actor)
  if (actor.kind === 'oauth' && !actor.scopes.has(scope)) throw insufficientScope(scope)
}

/**
 * Requires the person: a browser session or an account token without a limit. For what no app may do, such as creating
 * tokens; a limited token could otherwise make itself an unlimited one.
 * @throws AppError FORBIDDEN
 */
export function authorizeAccount(actor: Actor): asserts actor is SessionActor | AccountTokenActor {
  if (actor.kind !== 'session' && actor.kind !== 'account-token') {
    throw new AppError('FORBIDDEN', 'Only you can do this: sign in, or use an account token.')
  }
  if (actor.kind === 'account-token') requireCap(actor, actor.role, 'ADMIN')
}

/**
 * Requires that an actor can ask to change how its user signs in: the user in a browser, or an account token without a limit,
 * which needs the user's approval as well (`spendApproval`). No tool of /mcp can: a model that was talked into it would have
 * its user approve something they never wanted.
 * @throws AppError FORBIDDEN for apps, tools of /mcp, and confined or limited tokens
 */
export function authorizeFactorChange(actor: Actor): asserts actor is SessionActor | AccountTokenActor {
  authorizeAccount(actor)
  if (actor.tool) {
    throw new AppError('FORBIDDEN', 'Tools cannot change sign-in methods. Go to Account > Security.')
  }
}

/**
 * @throws AppError FORBIDDEN unless the actor is the instance admin in a browser session, TWO_FACTOR_REQUIRED when that lacks the
 *   second factor demanded of instance admins
 */
export function authorizeInstance(actor: Actor): asserts actor is SessionActor {
  if (actor.kind !== 'session' || !actor.instanceAdmin) throw new AppError('FORBIDDEN')
  requireTwoFactor(actor, 'operating')
}

function requireScope(
  actor: Actor & { scopes: ReadonlySet<string> },
  families: ResourceType[],
  needed: Role,
): void {
  // No scope would help it: what takes an admin takes a person.
  if (actor.kind === 'installation' && needed === 'ADMIN') {
    throw new AppError('FORBIDDEN', 'This action requires an admin role. App installations can’t hold it.', {
      requiredRole: needed,
    })
  }
  if (families.some((family) => reaches(roleFromScopes(actor.scopes, family), needed))) return
  throw insufficientScope(scopeFor(families[0] as ResourceType, needed))
}

/** What is selected reaches less than this takes. Where the scope is there already, it is the project that was not selected. */
function beyondSelection(actor: Actor & { scopes: ReadonlySet<string> }, id: string, needed: Role): AppError {
  if (reaches(roleFromScopes(actor.scopes, 'project'), needed)) return notShared({ type: 'project', id })
  return insufficientScope(scopeFor('project', needed))
}

function requireRole(actor: Actor, role: Role, cap: Role, needed: Role): void {
  if (!reaches(role, needed)) {
    throw new AppError(
      'FORBIDDEN',
      `Your role is ${role.toLowerCase()}; this requires ${needed.toLowerCase()}.`,
      { requiredRole: needed, role },
    )
  }
  requireCap(actor, cap, needed)
}

function requireCap(actor: Actor, cap: Role, needed: Role): void {
  if (reaches(cap, needed)) return
  throw new AppError(
    'FORBIDDEN',
    `This ${actor.kind.replace('-', ' ')} is limited to ${cap.toLowerCase()}; this requires ${needed.toLowerCase()}.`,
    { requiredRole: needed, role: cap },
  )
}

/** What a token without a scope is told, whatever it asked for. */
export const insufficientScope = (scope: Scope) =>
  new AppError('INSUFFICIENT_SCOPE', `This requires the scope ${scope}.`, { requiredScope: scope })

const notFound = (resource: { type: string; id: string }) =>
  new AppError('NOT_FOUND', `There is no such ${resource.type}, or you cannot see it.`, { resource })

const notShared = (resource: { type: string; id: string }) =>
  new AppError('RESOURCE_NOT_SHARED', `This ${resource.type} is not shared with the token.`, { resource })

/**
 * What a token for one environment reaches: of its project what `inEnvironment` says of a permission, and of the environments
 * its own. Whoever reads or changes an environment asks here, after the project was decided. See ADR 0021.
 */

/** The one environment that an actor reaches, for statements; null for every environment of what they reach. */
export const onlyEnvironment = (actor: Actor): string | null =>
  actor.kind === 'project-token' ? (actor.environmentId ?? null) : null

/** @throws AppError RESOURCE_NOT_SHARED for a token of one environment, where the permission is about the whole project */
export function authorizeBeyondEnvironment(
  actor: Actor,
  permission: ProjectPermission,
  projectId: string,
): void {
  if (onlyEnvironment(actor) === null || 'inEnvironment' in permissions[permission]) return
  throw new AppError(
    'RESOURCE_NOT_SHARED',
    'This token is limited to one environment, and this action affects the whole project.',
    { resource: { type: 'project', id: projectId } },
  )
}

/** Whether an actor reaches an environment of a project that they reach. @returns what they are told if not */
export function refusedEnvironment(actor: Actor, id: string): AppError | undefined {
  const only = onlyEnvironment(actor)
  if (only === null || only === id) return undefined
  return new AppError('RESOURCE_NOT_SHARED', 'This environment is not shared with the token.', {
    resource: { type: 'environment', id },
  })
}

const reached = new WeakMap<Actor, Set<string>>()

/** Notes that a request of an app was allowed something in a workspace. Nothing is noted of who is no app. */
function noteReached(actor: Actor, workspaceId: string): void {
  if (!isApp(actor)) return
  const known = reached.get(actor)
  if (known) known.add(workspaceId)
  else reached.set(actor, new Set([workspaceId]))
}

/**
 * The workspaces in which an app was allowed something while it asked as this actor, which is made for each request. What a list
 * holds of a workspace is not among them, unless the request names it or something in it.
 * See ADR 0024.
 */
export const reachedBy = (actor: Actor): ReadonlySet<string> => reached.get(actor) ?? none

const none: ReadonlySet<string> = new Set()
