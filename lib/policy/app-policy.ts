import { databaseNow } from '@/lib/base/db/clock'
import { AppError } from '@/lib/base/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import { type Actor, isApp } from './actor'
import { allScopes, higher, type Role, resourceOf, roleFromScopes, roleIncludes } from './scopes'

/**
 * The app policy of a workspace limits every right of an app there, in addition to the user's role, the
 * token's scopes, and the selection. The policy does not limit sessions and API tokens, because they are not
 * apps. The functions in this section do not query the database. The statements that find a workspace or a
 * project also read the `AppRules` that these functions need. See ADR 0019.
 */

/** A decision of a workspace's admins about one app. */
export type AppDecision = {
  decision: 'APPROVED' | 'BLOCKED'
  scopes: string[]
  /** The projects that the app is approved for. Null for the whole workspace. */
  projectIds: string[] | null
  /** Whether the approval has expired. */
  ended: boolean
}

/**
 * A workspace's app policy and its decision about the calling app. `appDecision` is null if the admins have
 * not decided.
 */
export type AppRules = { appPolicy: AppPolicy; appDecision: AppDecision | null }

/** The actions for which a workspace requires the user's approval (approvals.ts). */
export type ApprovalRules = { requiresApprovalFor: string[] }

/**
 * The properties of an app that the app policy depends on: its client ID, the workspace that owns it, and
 * whether it acts through an installation.
 */
export type JudgedApp = {
  clientId: string
  workspaceId: string | null | undefined
  installed?: boolean
}

/** The reason why a workspace does not allow an app. */
type Closed = 'blocked' | 'own-apps-only' | 'not-approved' | 'ended'

export type Admission =
  | { kind: 'whole' }
  | {
      kind: 'within'
      workspaceRole: Role | undefined
      projectRole: Role | undefined
      projectIds: readonly string[] | null
    }
  | { kind: 'closed'; reason: Closed }

/**
 * Returns how much access a workspace allows an app. A blocked app has no access under any policy. The
 * workspace's own apps need no approval. Under the policy `OWN`, no other app has access. Under the policy
 * `APPROVED`, other apps have no access without a current approval, and the approval's scopes and projects
 * limit them. An app that acts through an installation counts as approved, and the installation's own scopes
 * and projects limit it.
 * @param workspaceId the workspace that the rules belong to
 */
export function admissionOf(app: JudgedApp, workspaceId: string, rules: AppRules): Admission {
  const { appPolicy, appDecision: made } = rules
  if (made?.decision === 'BLOCKED') return { kind: 'closed', reason: 'blocked' }
  if (appPolicy === 'OPEN' || app.workspaceId === workspaceId) return { kind: 'whole' }
  if (appPolicy === 'OWN') return { kind: 'closed', reason: 'own-apps-only' }
  if (app.installed) return { kind: 'whole' }
  if (!made) return { kind: 'closed', reason: 'not-approved' }
  if (made.ended) return { kind: 'closed', reason: 'ended' }
  const scopes = new Set(made.scopes)
  const workspace = roleFromScopes(scopes, 'workspace')
  return {
    kind: 'within',
    workspaceRole: made.projectIds ? undefined : workspace,
    // A workspace scope also applies to the workspace's projects, so use the higher of the two roles.
    projectRole: higher(workspace, roleFromScopes(scopes, 'project')),
    projectIds: made.projectIds,
  }
}

/**
 * Returns the highest role that an app can have in a workspace with this admission, or undefined if it has no
 * access.
 */
export const admittedToWorkspace = (admission: Admission): Role | undefined =>
  admission.kind === 'whole' ? 'ADMIN' : admission.kind === 'within' ? admission.workspaceRole : undefined

/**
 * Returns the highest role that an app can have in a workspace's project, or undefined if it has no access.
 * @param admission the admission of the app to the workspace
 */
export function admittedToProject(admission: Admission, projectId: string): Role | undefined {
  if (admission.kind !== 'within') return admittedToWorkspace(admission)
  const { projectIds, projectRole } = admission
  return !projectIds || projectIds.includes(projectId) ? projectRole : undefined
}

/**
 * Returns how much access a workspace allows an actor: full access if the actor is not an app, or else the
 * result of `admissionOf`.
 */
export const admissionFor = (actor: Actor, workspaceId: string, rules: AppRules): Admission =>
  isApp(actor)
    ? admissionOf(
        {
          clientId: actor.clientId,
          workspaceId: actor.appWorkspaceId,
          installed: actor.kind === 'installation',
        },
        workspaceId,
        rules,
      )
    : { kind: 'whole' }

/**
 * Requires that a workspace allows an app the needed role on a resource.
 * @param admitted the highest role that the workspace allows the app on the resource
 * @throws AppError APP_NOT_APPROVED with a message that contains the reason and how to get access
 */
export function requireAdmission(
  admission: Admission,
  admitted: Role | undefined,
  needed: Role,
  resource: { type: string; id: string },
): void {
  if (roleIncludes(admitted, needed)) return
  const reason = admission.kind === 'closed' ? admission.reason : 'beyond-approval'
  throw new AppError('APP_NOT_APPROVED', messages[reason], { resource, reason })
}

const messages: Record<Closed | 'beyond-approval', string> = {
  blocked: 'This workspace has blocked the app. Its admins can unblock it under Settings > Apps.',
  'own-apps-only':
    'This workspace allows only its own apps. Its admins can change that under Settings > Apps.',
  'not-approved':
    'This workspace requires approval for apps. To request approval, authorize the app again and use the consent page.',
  ended:
    'The workspace’s approval of this app has expired. To request a new approval, authorize the app again and use the consent page.',
  'beyond-approval':
    'The workspace approved this app with less access. A workspace admin can approve more access under Settings > Apps.',
}

/**
 * The code below expresses the app policy as SQL for named statements and as a filter for Prisma, so that a
 * list never loads resources that a workspace hides from an app. app-policy.db.test.ts checks that both forms
 * agree. In the SQL, `w` is a row of workspaces, and `p` is a row of projects.
 */

const workspaceScopes = allScopes.filter((scope) => resourceOf(scope) === 'workspace')
const resourceScopes = allScopes.filter((scope) => resourceOf(scope))

const decided = (clientId: string, more: string): string =>
  `EXISTS (SELECT FROM workspace_apps wa WHERE wa.workspace_id = w.id AND wa.client_id = ${clientId} AND ${more})`

const blocked = (clientId: string): string => decided(clientId, "wa.decision = 'BLOCKED'")

const approved = "wa.decision = 'APPROVED' AND (wa.expires_at IS NULL OR wa.expires_at > now())"

const holding = (scopes: readonly string[]): string =>
  `wa.scopes && ARRAY[${scopes.map((scope) => `'${scope}'`).join(', ')}]`

const admitted = (clientId: string, appWorkspaceId: string, within: string): string =>
  `(NOT ${blocked(clientId)}
    AND (w.app_policy = 'OPEN' OR w.id = ${appWorkspaceId} OR (w.app_policy = 'APPROVED' AND ${decided(
      clientId,
      `${approved} AND ${within}`,
    )})))`

/**
 * Returns SQL: whether the app policy allows an app without an installation to see the workspace `w`. The
 * parameters are SQL expressions for the app's client ID and for the workspace that owns the app.
 */
export const admittedWorkspace = (clientId: string, appWorkspaceId: string): string =>
  admitted(clientId, appWorkspaceId, `wa.all_projects AND ${holding(workspaceScopes)}`)

/**
 * Returns SQL: whether the app policy allows an app without an installation to see the project `p` of the
 * workspace `w`.
 */
export const admittedProject = (clientId: string, appWorkspaceId: string): string =>
  admitted(
    clientId,
    appWorkspaceId,
    `${holding(resourceScopes)} AND (wa.all_projects OR EXISTS (SELECT FROM workspace_app_projects wp
      WHERE wp.workspace_id = wa.workspace_id AND wp.client_id = wa.client_id AND wp.project_id = p.id))`,
  )

/** Returns SQL: whether the workspace `w` still allows an app that one of its admins installed. */
export const admittedInstallation = (clientId: string, appWorkspaceId: string): string =>
  `(NOT ${blocked(clientId)} AND (w.app_policy <> 'OWN' OR w.id = ${appWorkspaceId}))`

/** An app's state in a workspace: the kind of its `Admission`, with a separate state for blocked apps. */
export type AppState = 'ALLOWED' | 'BLOCKED' | 'EXCLUDED'

/**
 * Returns SQL: the `AppState` of an app in the workspace `w`, by the rules of `admissionOf`.
 * @param installed an SQL condition: whether the app acts only through an installation
 */
export const appStateColumn = (clientId: string, appWorkspaceId: string, installed: string): string =>
  `CASE WHEN ${blocked(clientId)} THEN 'BLOCKED'
        WHEN w.app_policy = 'OPEN' OR w.id = ${appWorkspaceId} THEN 'ALLOWED'
        WHEN w.app_policy = 'OWN' THEN 'EXCLUDED'
        WHEN ${installed} OR ${decided(clientId, approved)} THEN 'ALLOWED'
        ELSE 'EXCLUDED' END`

/** SQL: an `AppDecision`, built from `wa`, a row of workspace_apps. */
const decision = `json_build_object('decision', wa.decision, 'scopes', wa.scopes, 'ended', COALESCE(wa.expires_at <= now(), false),
             'projectIds', CASE WHEN NOT wa.all_projects THEN ARRAY(
               SELECT wp.project_id FROM workspace_app_projects wp
                WHERE wp.workspace_id = wa.workspace_id AND wp.client_id = wa.client_id) END)`

/**
 * Returns SQL: the `AppRules` columns of the workspace `w`. The parameter is an SQL expression that returns
 * the calling app's client ID, or null if the caller is not an app.
 */
export const appRulesColumns = (clientId: string): string =>
  `w.app_policy AS "appPolicy", (
    SELECT ${decision}
      FROM workspace_apps wa WHERE wa.workspace_id = w.id AND wa.client_id = ${clientId}) AS "appDecision"`

/**
 * Returns SQL: the app policy of the workspace `w` and its decisions about several apps. The column
 * `decisions` is an object with client IDs as keys, or null if there are no decisions. The parameter is an
 * SQL expression for an array of client IDs.
 */
export const rulesForAppsColumns = (clientIds: string): string =>
  `w.app_policy::text AS "appPolicy", (
    SELECT json_object_agg(wa.client_id, ${decision})
      FROM workspace_apps wa WHERE wa.workspace_id = w.id AND wa.client_id = ANY(${clientIds})) AS decisions`

const approval = (
  clientId: string,
  scopes: readonly string[],
  more: Prisma.WorkspaceAppWhereInput,
): Prisma.WorkspaceWhereInput => ({
  appPolicy: 'APPROVED',
  apps: {
    some: {
      clientId,
      decision: 'APPROVED',
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(databaseNow()) } }],
      scopes: { hasSome: [...scopes] },
      ...more,
    },
  },
})

const notBlocked = (clientId: string): Prisma.WorkspaceWhereInput => ({
  apps: { none: { clientId, decision: 'BLOCKED' } },
})

const freely = ({ workspaceId }: JudgedApp): Prisma.WorkspaceWhereInput => ({
  OR: [{ appPolicy: 'OPEN' }, ...(workspaceId ? [{ id: workspaceId }] : [])],
})

/** Returns the Prisma form of `admittedInstallation`. */
const installed = ({ clientId, workspaceId }: JudgedApp): Prisma.WorkspaceWhereInput => ({
  AND: [
    notBlocked(clientId),
    { OR: [{ appPolicy: { not: 'OWN' } }, ...(workspaceId ? [{ id: workspaceId }] : [])] },
  ],
})

/** Returns a filter for the workspaces whose app policy allows an app to see them. */
export const admittedWorkspaces = (app: JudgedApp): Prisma.WorkspaceWhereInput =>
  app.installed
    ? installed(app)
    : {
        AND: [
          notBlocked(app.clientId),
          { OR: [freely(app), approval(app.clientId, workspaceScopes, { allProjects: true })] },
        ],
      }

/** Returns a filter for the projects whose workspace's app policy allows an app to see them. */
export const admittedProjects = (app: JudgedApp): Prisma.ProjectWhereInput =>
  app.installed
    ? { workspace: installed(app) }
    : {
        AND: [
          { workspace: notBlocked(app.clientId) },
          {
            OR: [
              { workspace: freely(app) },
              { workspace: approval(app.clientId, resourceScopes, { allProjects: true }) },
              {
                workspace: approval(app.clientId, resourceScopes, { allProjects: false }),
                approvals: { some: { clientId: app.clientId } },
              },
            ],
          },
        ],
      }
