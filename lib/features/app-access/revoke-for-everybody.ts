import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { requireDecider } from './require-decider'

/**
 * Takes a workspace and its projects out of everything that people selected for an app. Its next request feels it; what they
 * share with it elsewhere stays, and they may let it in again as far as the policy allows.
 * @returns how many people's selections changed
 * @throws AppError NOT_FOUND (no such app), and as `requireDecider`
 */
export async function revokeForEverybody(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<number> {
  const { id } = await requireDecider(actor, workspaceId)
  return prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    const people = await tx.$executeRaw`
      WITH here AS (SELECT COALESCE(array_agg(id), '{}') AS ids FROM projects WHERE workspace_id = ${id}::uuid)
      UPDATE authorizations SET updated_at = now(), workspace_ids = array_remove(workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(project_ids) one WHERE one <> ALL (here.ids))
        FROM here
       WHERE client_id = ${clientId} AND (${id}::uuid = ANY (workspace_ids) OR project_ids && here.ids)`
    await recordEvent(tx, actor, {
      action: 'app.revoked_for_everybody',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name: app.name, people },
    })
    return people
  })
}
