import type { Db } from '@/lib/base/db/prisma'
import {
  type Admission,
  type AppDecision,
  type AppRules,
  admissionOf,
  type JudgedApp,
  rulesForAppsColumns,
} from '@/lib/policy/app-policy'

/** How far a workspace lets an app in. */
export type Admissions = (app: JudgedApp, workspaceId: string) => Admission

type Row = Pick<AppRules, 'appPolicy'> & {
  id: string
  decisions: Record<string, AppDecision> | null
  transferring: string[] | null
}

/**
 * Reads what workspaces decided about apps, for pages that show or change an app's access. One statement, or none. An app with an
 * unfinished transfer counts as no workspace's own.
 * @returns a function from an app and one of the workspaces to its admission; an unknown workspace admits nothing
 */
export async function loadAdmissions(
  db: Db,
  apps: readonly JudgedApp[],
  workspaceIds: readonly string[],
): Promise<Admissions> {
  const rows =
    workspaceIds.length === 0
      ? []
      : await db.$queryRawUnsafe<Row[]>(
          `SELECT w.id, ${rulesForAppsColumns('$2::text[]')},
                  ARRAY(SELECT c.id FROM oauth_clients c
                         WHERE c.id = ANY($2::text[]) AND c.transferred_at IS NOT NULL) AS transferring
             FROM workspaces w WHERE w.id = ANY($1::uuid[])`,
          workspaceIds,
          apps.map(({ clientId }) => clientId),
        )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (app, workspaceId) => {
    const row = byId.get(workspaceId)
    if (!row) return { kind: 'closed', reason: 'own-apps-only' }
    const { appPolicy, decisions, transferring } = row
    const judged = transferring?.includes(app.clientId) ? { ...app, workspaceId: null } : app
    return admissionOf(judged, workspaceId, { appPolicy, appDecision: decisions?.[app.clientId] ?? null })
  }
}
