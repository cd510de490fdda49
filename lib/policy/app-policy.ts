import { databaseNow } from '@/lib/base/db/clock'
import { AppError } from '@/lib/base/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import { type Actor, isApp } from './actor'
import { allScopes, higher, type Role, reaches, resourceOf, roleFromScopes } from './scopes'

/**
 * Whether a workspace lets an app in, and how far: one more factor of every right that an app has, beside the person's role,
 * the token's scopes and the selection. Sessions and API tokens are no apps. Pure; the statements that find a workspace or a
 * project read `AppRules` along, and `visible.ts` says the same for lists.
 * See ADR 0024.
 */

/** What the admins of a workspace decided about one app. */
export type AppDecision = {
  decision: 'APPROVED' | 'BLOCKED'
  scopes: string[]
  /** The projects it is approved for; null for the whole workspace. */
  projectIds: string[] | null
  /** The approval's time is over. */
  ended: boolean
}

/** A workspace's policy, and what it decided about the app that asks; no decision for whoever is no app. */
export type AppRules = { appPolicy: AppPolicy; appDecision: AppDecision | null }

/** The actions for which a workspace requires the user's approval (approvals.ts). */
export type ApprovalRules = { requiresApprovalFor: string[] }

/** An app as a policy sees it: who runs it, and whether it asks as an admin installed it, for the workspace itself. */
export type JudgedApp = {
  clientId: string
  workspaceId: string | null | undefined
  installed?: boolean
}

/** Why an app stays outside. */
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
 * Decides how far a workspace lets an app in. Blocked is blocked, whatever the policy; an app of the workspace itself needs
 * no approval; an approval's scopes and projects bound what the app does there, while the policy asks for approval. That an
 * admin installed it is an approval of its own: what bounds an installation are its own scopes and projects.
 * @param workspaceId whose rules they are
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
    // A workspace scope covers the projects in the workspace.
    projectRole: higher(workspace, roleFromScopes(scopes, 'project')),
    projectIds: made.projectIds,
  }
}

/** The highest role that an app can have in the workspace that admits it so. */
export const admittedToWorkspace = (admission: Admission): Role | undefined =>
  admission.kind === 'whole' ? 'ADMIN' : admission.kind === 'within' ? admission.workspaceRole : undefined

/** The highest role that an app can have in a project of the workspace that admits it so. */
export function admittedToProject(admission: Admission, projectId: string): Role | undefined {
  if (admission.kind !== 'within') return admittedToWorkspace(admission)
  const { projectIds, projectRole } = admission
  return !projectIds || projectIds.includes(projectId) ? projectRole : undefined
}

/** How far a workspace lets an actor in: whole, for whoever is no app. */
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
 * @param admitted the role the workspace lets the app have on what it asked for
 * @throws AppError APP_NOT_APPROVED, with the reason and what to do, where that does not reach
 */
export function requireAdmission(
  admission: Admission,
  admitted: Role | undefined,
  needed: Role,
  resource: { type: string; id: string },
): void {
  if (reaches(admitted, needed)) return
  const reason = admission.kind === 'closed' ? admission.reason : 'beyond-approval'
  throw new AppError('APP_NOT_APPROVED', told[reason], { resource, reason })
}

const told: Record<Closed | 'beyond-approval', string> = {
  blocked: 'This workspace has blocked the app. Its admins can unblock it under Settings > Apps.',
  'own-apps-only':
    'This workspace allows only its own apps. Its admins can change that under Settings > Apps.',
  'not-approved':
    'This workspace lets in the apps that its admins approved, and this is none of them. Ask an admin on the consent page: authorize the app again.',
  ended:
    "The workspace's approval of this app has ended. Ask an admin on the consent page: authorize the app again.",
  'beyond-approval':
    'This is more than the workspace approved this app for. An admin can approve more, under Settings > Apps.',
}

/**
 * Expresses the app policy of a workspace as SQL for named statements and as a filter for Prisma, so that a list never loads
 * what a workspace does not let an app see. visible.ts uses it as one of its rules. app-policy.db.test.ts checks with random
 * policies that both forms agree.
 *
 * The SQL speaks of `w`, a row of workspaces, and `p`, a row of projects.
 */

const workspaceScopes = allScopes.filter((scope) => resourceOf(scope) === 'workspace')
const resourceScopes = allScopes.filter((scope) => resourceOf(scope))

const decided = (clientId: string, more: string): string =>
  `EXISTS (SELECT FROM workspace_apps wa WHERE wa.workspace_id = w.id AND wa.client_id = ${clientId} AND ${more})`

const holding = (scopes: readonly string[]): string =>
  `wa.scopes && ARRAY[${scopes.map((scope) => `'${scope}'`).join(', ')}]`

const admitted = (clientId: string, appWorkspaceId: string, within: string): string =>
  `(NOT ${decided(clientId, "wa.decision = 'BLOCKED'")}
    AND (w.app_policy = 'OPEN' OR w.id = ${appWorkspaceId} OR (w.app_policy = 'APPROVED' AND ${decided(
      clientId,
      `wa.decision = 'APPROVED' AND (wa.expires_at IS NULL OR wa.expires_at > now()) AND ${within}`,
    )})))`

/** SQL: whether the workspace `w` lets an app see it. Takes SQL of its client id and of the workspace that runs it. */
export const admittedWorkspace = (clientId: string, appWorkspaceId: string): string =>
  admitted(clientId, appWorkspaceId, `wa.all_projects AND ${holding(workspaceScopes)}`)

/** SQL: whether the workspace `w` lets an app see its project `p`. */
export const admittedProject = (clientId: string, appWorkspaceId: string): string =>
  admitted(
    clientId,
    appWorkspaceId,
    `${holding(resourceScopes)} AND (wa.all_projects OR EXISTS (SELECT FROM workspace_app_projects wp
      WHERE wp.workspace_id = wa.workspace_id AND wp.client_id = wa.client_id AND wp.project_id = p.id))`,
  )

/** SQL: whether the workspace `w` leaves in an app that one of its admins installed. */
export const admittedInstallation = (clientId: string, appWorkspaceId: string): string =>
  `(NOT ${decided(clientId, "wa.decision = 'BLOCKED'")} AND (w.app_policy <> 'OWN' OR w.id = ${appWorkspaceId}))`

/** SQL: an `AppDecision`, of `wa`, a row of workspace_apps. */
const decision = `json_build_object('decision', wa.decision, 'scopes', wa.scopes, 'ended', COALESCE(wa.expires_at <= now(), false),
             'projectIds', CASE WHEN NOT wa.all_projects THEN ARRAY(
               SELECT wp.project_id FROM workspace_app_projects wp
                WHERE wp.workspace_id = wa.workspace_id AND wp.client_id = wa.client_id) END)`

/** SQL: the columns of `AppRules`, of the workspace `w`. Takes SQL of the client id of the app that asks; null for none. */
export const appRulesColumns = (clientId: string): string =>
  `w.app_policy AS "appPolicy", (
    SELECT ${decision}
      FROM workspace_apps wa WHERE wa.workspace_id = w.id AND wa.client_id = ${clientId}) AS "appDecision"`

/** SQL: the same of several apps, whose decisions come by their client ids; null where there is none. */
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

/** As `admittedInstallation`. */
const installed = ({ clientId, workspaceId }: JudgedApp): Prisma.WorkspaceWhereInput => ({
  AND: [
    notBlocked(clientId),
    { OR: [{ appPolicy: { not: 'OWN' } }, ...(workspaceId ? [{ id: workspaceId }] : [])] },
  ],
})

/** The workspaces that let an app see them. */
export const admittedWorkspaces = (app: JudgedApp): Prisma.WorkspaceWhereInput =>
  app.installed
    ? installed(app)
    : {
        AND: [
          notBlocked(app.clientId),
          { OR: [freely(app), approval(app.clientId, workspaceScopes, { allProjects: true })] },
        ],
      }

/** The projects that their workspaces let an app see. */
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
