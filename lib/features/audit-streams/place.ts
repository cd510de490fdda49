import { config } from '@/lib/base/config/env'
import { lowestId } from '@/lib/base/db/keyset'
import type { Db } from '@/lib/base/db/prisma'
import { type Allowance, alsoReaching, currentAllowance } from '@/lib/base/outbound/check-url'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance, holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'

/** Whose audit log a stream sends: a workspace's, or everything recorded in the installation. */
export type Place = { workspaceId: string } | 'installation'

/** The id that stands for the installation. */
export const installationId = lowestId

/**
 * Requires the right to a place's stream: `workspace:stream-audit`, or being the operator.
 * @returns the place's id, and the workspace in whose log a change of the stream is recorded
 * @throws AppError as `authorizeWorkspace`, or FORBIDDEN for anyone but the operator
 */
export async function requirePlace(
  actor: Actor,
  place: Place,
): Promise<{ placeId: string; workspaceId: string | null }> {
  if (place === 'installation') {
    authorizeInstance(actor)
    return { placeId: installationId, workspaceId: null }
  }
  const { id } = await requireWorkspace(actor, 'workspace:stream-audit', place.workspaceId)
  return { placeId: id, workspaceId: id }
}

/** Holds the right to a place's stream for the rest of a transaction. @throws AppError as `holdWorkspace` or `holdInstance` */
export const holdPlace = (tx: Db, actor: Actor, place: Place): Promise<void> =>
  place === 'installation'
    ? holdInstance(tx, actor)
    : holdWorkspace(tx, actor, 'workspace:stream-audit', place.workspaceId)

/** What a place's stream may reach: the public internet, and for the operator's the networks that the environment names. */
export function allowanceFor(placeId: string, url: string): Allowance {
  if (placeId !== installationId || !URL.canParse(url)) return currentAllowance()
  return alsoReaching(config().AUDIT_STREAM_NETWORKS, new URL(url).port)
}
