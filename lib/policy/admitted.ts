import { databaseNow } from '@/lib/base/db/watch-clock'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { JudgedApp } from './admission'
import { allScopes, resourceOf } from './scopes'

/**
 * What `admission.ts` decides of one workspace, as SQL for named statements and as a filter for Prisma, so that a list never
 * loads what a workspace does not let an app see. visible.ts takes it as one of its rules; that they agree is tried with
 * random rules (admission.db.test.ts).
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
