import { statement } from '@/lib/base/db/statements'
import {
  type AppRules,
  admissionOf,
  admittedToProject,
  admittedToWorkspace,
  appRulesColumns,
} from './app-policy'
import { higher, lowerRole, type Role } from './scopes'
import {
  type ProjectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
  visibleWorkspace,
  type WorkspaceValues,
} from './visible'

/** A user on whose behalf an app acts, and the resources that the user selected for the app. */
export type Selected = {
  userId: string
  clientId: string
  /**
   * The workspace that owns the app. Null for a self-registered app and while a transfer of the app is
   * unfinished.
   */
  appWorkspaceId: string | null
  workspaceIds: readonly string[]
  projectIds: readonly string[]
  /** Whether the user's sign-in to the app used two-factor authentication. */
  twoFactor: boolean
}

/** A selected workspace or project, and the app's current role in it. */
export type EffectiveRole = { type: 'workspace' | 'project'; id: string; role: Role }

const findWorkspaces = statement<{ id: string; role: Role } & AppRules, WorkspaceValues>(
  'selected-workspaces',
  `SELECT w.id, wm.role, ${appRulesColumns('$4')}
     FROM workspaces w ${roleInWorkspace()}
    WHERE w.id = ANY ($3::uuid[]) AND ${visibleWorkspace} ORDER BY w.id`,
)

type ProjectRow = { id: string; workspaceId: string; workspaceRole: Role | null; projectRole: Role | null }

const findProjects = statement<ProjectRow & AppRules, ProjectValues>(
  'selected-projects',
  `SELECT p.id, w.id AS "workspaceId", wm.role AS "workspaceRole", pm.role AS "projectRole", ${appRulesColumns('$4')}
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.id = ANY ($6::uuid[]) AND ${visibleProject} ORDER BY p.id`,
)

/**
 * Returns the selected workspaces and projects with the app's current role in each: the user's role, limited
 * by the workspace's app policy. The scopes of the app's token are not applied. Resources without a role are
 * omitted. If the user signed in without two-factor authentication, workspaces that require it and their
 * projects are omitted too. The function runs at most one statement for each kind of resource.
 */
export async function effectiveRoles(selected: Selected): Promise<EffectiveRole[]> {
  const { userId, clientId, appWorkspaceId, workspaceIds, projectIds, twoFactor } = selected
  const app = { clientId, workspaceId: appWorkspaceId }
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? []
      : findWorkspaces(userId, !twoFactor, workspaceIds, clientId, appWorkspaceId),
    projectIds.length === 0 ? [] : findProjects(userId, !twoFactor, [], clientId, appWorkspaceId, projectIds),
  ])
  return [
    ...workspaces.flatMap(({ id, role, ...rules }) =>
      withRole('workspace', id, lowerRole(role, admittedToWorkspace(admissionOf(app, id, rules)))),
    ),
    ...projects.flatMap(({ id, workspaceId, workspaceRole, projectRole, ...rules }) =>
      withRole(
        'project',
        id,
        lowerRole(
          higher(workspaceRole ?? undefined, projectRole ?? undefined),
          admittedToProject(admissionOf(app, workspaceId, rules), id),
        ),
      ),
    ),
  ]
}

const withRole = (type: EffectiveRole['type'], id: string, role: Role | undefined): EffectiveRole[] =>
  role ? [{ type, id, role }] : []
