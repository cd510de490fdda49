import { inTransaction } from '@/lib/base/db/in-transaction'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { worthUnder } from '@/lib/policy/scopes'
import { checkSelection } from './check-selection'
import { changedSelectionInput } from './input'
import { unknownAuthorization } from './list-authorizations'
import { takeTurn } from './take-turn'
import { allowedTo } from "@/lib/policy/app-status";

/**
 * Changes the workspaces and projects an app may touch. Its next request feels it.
 * @param input `workspaceIds`, `projectIds`; `shownScopes`: what the page said the app may do there
 * @throws AppError FORBIDDEN for tokens that do not speak for the person, NOT_FOUND for an authorization of nobody or
 *   somebody else, CONFLICT when the app may do something else by now, and as `checkSelection`
 */
export async function updateSelection(actor: Actor, id: string, input: unknown): Promise<void> {
  authorizeAccount(actor)
  const { shownScopes, ...chosen } = parseInput(changedSelectionInput, input)
  await inTransaction(async (tx) => {
    await takeTurn(tx, actor.userId)
    const found = isId(id)
      ? await tx.authorization.findFirst({
          where: { id, userId: actor.userId },
          include: { client: { select: { workspaceId: true, allowedScopes: true } } },
        })
      : undefined
    if (!found) throw unknownAuthorization()
    const scopes = worthUnder(found.scopes, allowedTo(found.clientId, found.client.allowedScopes))
    if (shownScopes && shownScopes.join() !== scopes.join()) {
      throw new AppError(
        'CONFLICT',
        'What this app may do has changed meanwhile. Look through the page again, then save.',
      )
    }
    const app = { clientId: found.clientId, workspaceId: found.client.workspaceId }
    const selection = await checkSelection(tx, actor, app, scopes, chosen)
    await tx.authorization.update({ where: { id }, data: selection })
    await recordEvent(tx, actor, {
      action: 'authorization.updated',
      resource: { type: 'authorization', id },
      details: { clientId: found.clientId, ...selection },
    })
  })
}
