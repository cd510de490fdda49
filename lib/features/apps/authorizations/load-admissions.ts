import type { Db } from '@/lib/base/db/prisma'
import {
  type Admission,
  type AppDecision,
  type AppRules,
  admissionOf,
  type JudgedApp,
} from '@/lib/policy/admission'
import { rulesForAppsColumns } from '@/lib/policy/admitted'

/** How far a workspace lets an app in. */
export type Admissions = (app: JudgedApp, workspaceId: string) => Admission

type Row = Pick<AppRules, 'appPolicy'> & { id: string; decisions: Record<string, AppDecision> | null }

/**
 * Reads what workspaces decided about apps, for pages that show or change what an app may touch. One statement, or none.
 * @returns for an app and a workspace of those given, how far it comes in; a workspace that is not there admits nothing
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
          `SELECT w.id, ${rulesForAppsColumns('$2::text[]')} FROM workspaces w WHERE w.id = ANY($1::uuid[])`,
          workspaceIds,
          apps.map(({ clientId }) => clientId),
        )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (app, workspaceId) => {
    const row = byId.get(workspaceId)
    if (!row) return { kind: 'closed', reason: 'own-apps-only' }
    const { appPolicy, decisions } = row
    return admissionOf(app, workspaceId, { appPolicy, appDecision: decisions?.[app.clientId] ?? null })
  }
}
