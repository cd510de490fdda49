import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { type Admission, admissionOf, type JudgedApp } from '@/lib/policy/admission'

/** How far a workspace lets an app in. */
export type Admissions = (app: JudgedApp, workspaceId: string) => Admission

/**
 * Reads what workspaces decided about apps, for pages that show or change what an app may touch. Two statements.
 * @returns for an app and a workspace of those given, how far it comes in; a workspace that is not there admits nothing
 */
export async function loadAdmissions(
  db: Db,
  apps: readonly JudgedApp[],
  workspaceIds: readonly string[],
): Promise<Admissions> {
  const [workspaces, decisions] = await Promise.all([
    db.workspace.findMany({
      where: { id: { in: [...workspaceIds] } },
      select: { id: true, appPolicy: true },
    }),
    db.workspaceApp.findMany({
      where: {
        workspaceId: { in: [...workspaceIds] },
        clientId: { in: apps.map(({ clientId }) => clientId) },
      },
      include: { projects: { select: { projectId: true } } },
    }),
  ])
  const policies = new Map(workspaces.map(({ id, appPolicy }) => [id, appPolicy]))
  return (app, workspaceId) => {
    const appPolicy = policies.get(workspaceId)
    if (!appPolicy) return { kind: 'closed', reason: 'own-apps-only' }
    const made = decisions.find((row) => row.workspaceId === workspaceId && row.clientId === app.clientId)
    const appDecision = made && {
      decision: made.decision,
      scopes: made.scopes,
      projectIds: made.allProjects ? null : made.projects.map(({ projectId }) => projectId),
      ended: made.expiresAt !== null && made.expiresAt.getTime() <= databaseNow(),
    }
    return admissionOf(app, workspaceId, { appPolicy, appDecision: appDecision ?? null })
  }
}
