import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { listInstalled } from './list-installed'
import { type Loss, lossOf } from './loss-of'

/** The apps of one workspace that a preview looks at: it reads them all in one statement, as a page of them costs nearly as much. */
export const mostPreviewed = 5_000

const all = { limit: mostPreviewed, backward: false, after: null, before: null }

/**
 * What another policy would take away: each app that comes in now and would come in less far, with its people.
 * @returns null where the workspace has more than `mostPreviewed` apps: a part of them would look like all
 * @throws AppError as `requireDecider`
 */
export async function previewPolicy(
  actor: Actor,
  workspaceId: string,
  policy: AppPolicy,
): Promise<Loss[] | null> {
  const { rows, hasNextPage } = await listInstalled(actor, workspaceId, all)
  return hasNextPage ? null : rows.flatMap((app) => lossOf(app, workspaceId, policy) ?? [])
}
