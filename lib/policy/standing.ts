import { type Actor, isApp } from './actor'
import { type AppRules, admissionFor, admittedToProject, admittedToWorkspace } from './admission'
import { capped, higher, type Role } from './roles'
import { roleFromScopes } from './scopes'

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
