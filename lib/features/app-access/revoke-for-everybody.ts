import type { Actor } from '@/lib/policy/actor'
import { decideAbout } from './decide-about'

/**
 * Takes a workspace and its projects out of everything that people selected for an app. Its next request feels it; what they
 * share with it elsewhere stays, and they may let it in again as far as the policy allows.
 * @returns how many people's selections changed
 * @throws AppError as `decideAbout`
 */
export async function revokeForEverybody(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<number> {
  const { details } = await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const people = await tx.$executeRaw`
      WITH here AS (SELECT COALESCE(array_agg(id), '{}') AS ids FROM projects WHERE workspace_id = ${id}::uuid)
      UPDATE authorizations SET updated_at = now(), workspace_ids = array_remove(workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(project_ids) one WHERE one <> ALL (here.ids))
        FROM here
       WHERE client_id = ${clientId} AND (${id}::uuid = ANY (workspace_ids) OR project_ids && here.ids)`
    return { action: 'app.revoked_for_everybody', details: { people } }
  })
  return details.people
}
