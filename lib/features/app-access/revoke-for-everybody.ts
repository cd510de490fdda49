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
    const projects = await tx.project.findMany({ where: { workspaceId: id }, select: { id: true } })
    const here = projects.map((project) => project.id)
    // Named by value: of a subquery over another table, nodes that each have a copy may make different things (decision 156).
    const people = await tx.$executeRaw`
      UPDATE authorizations SET updated_at = now(), workspace_ids = array_remove(workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(project_ids) one WHERE one <> ALL (${here}::uuid[]))
       WHERE client_id = ${clientId} AND (${id}::uuid = ANY (workspace_ids) OR project_ids && ${here}::uuid[])`
    // The app is told of it, and of a workspace that nobody let it into it is told nothing.
    return { action: people > 0 ? 'app.revoked_for_everybody' : undefined, details: { people } }
  })
  return details.people
}
