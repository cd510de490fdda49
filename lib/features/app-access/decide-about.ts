import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireDecider } from './require-decider'

/** What was decided: the event it is recorded as, none where nothing changed, with what beside the app's name is to be known of it. */
type Decided = { action: string | undefined; details?: Record<string, unknown> }

/**
 * How every decision about one app is made: by somebody who may, in one transaction with its event.
 * @param decide what changes; it gets the workspace's id
 * @returns what `decide` returned
 * @throws AppError NOT_FOUND (no such app), as `decide`, and as `requireDecider`
 */
export async function decideAbout<Made extends Decided>(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  decide: (tx: Db, workspaceId: string) => Promise<Made>,
): Promise<Made> {
  const { id } = await requireDecider(actor, workspaceId)
  return prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
    const made = await decide(tx, id)
    const { action } = made
    if (action === undefined) return made
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name: app.name, ...made.details },
    })
    return made
  })
}
