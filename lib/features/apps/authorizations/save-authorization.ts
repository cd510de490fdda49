import { inTransaction } from '@/lib/base/db/in-transaction'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { requireAuthorizable } from '@/lib/policy/app-status'
import { askable, needsSelection, worthUnder } from '@/lib/policy/scopes'
import { checkSelection } from './check-selection'
import { authorizationInput } from './input'
import { scopesAfterConsent } from './scopes-after-consent'
import { takeTurn } from './take-turn'
import { allowedTo } from "@/lib/policy/app-status";

/**
 * Records that a person lets an app do something: one row per person and app, which says afterwards what the page showed
 * (`scopesAfterConsent`). Of a kind (workspaces, projects) that is asked for, scope and selection are replaced together;
 * a kind that is not keeps both.
 * See decision 002.
 * @param input `clientId`, `scopes`, `workspaceIds`, `projectIds`
 * @returns the authorization's id
 * @throws AppError APP_AWAITING_APPROVAL, APP_IN_DEVELOPMENT, and as `checkSelection`
 */
export async function saveAuthorization(actor: SessionActor, input: unknown): Promise<{ id: string }> {
  const { clientId, scopes: asked, ...chosen } = parseInput(authorizationInput, input)
  const key = { userId_clientId: { userId: actor.userId, clientId } }
  return inTransaction(async (tx) => {
    await takeTurn(tx, actor.userId)
    const client = await tx.oAuthClient.findUnique({
      where: { id: clientId },
      select: {
        workspaceId: true,
        firstAuthorizedAt: true,
        inDevelopment: true,
        awaitingApproval: true,
        allowedScopes: true,
      },
    })
    await requireAuthorizable(tx, client, actor.userId)
    const mayAsk = allowedTo(clientId, client?.allowedScopes)
    const scopes = askable(asked, mayAsk)
    const app = { clientId, workspaceId: client?.workspaceId }
    const selection = await checkSelection(tx, actor, app, scopes, chosen)
    const earlier = await tx.authorization.findUnique({ where: key })
    const data = {
      scopes: scopesAfterConsent(scopes, worthUnder(earlier?.scopes ?? [], mayAsk)),
      workspaceIds: needsSelection(scopes, 'workspace')
        ? selection.workspaceIds
        : (earlier?.workspaceIds ?? []),
      projectIds: needsSelection(scopes, 'project') ? selection.projectIds : (earlier?.projectIds ?? []),
    }
    const { id } = await tx.authorization.upsert({
      where: key,
      create: { userId: actor.userId, clientId, ...data },
      update: data,
      select: { id: true },
    })
    if (!client?.firstAuthorizedAt) {
      await tx.oAuthClient.updateMany({
        where: { id: clientId, firstAuthorizedAt: null },
        data: { firstAuthorizedAt: new Date() },
      })
    }
    await recordEvent(tx, actor, {
      action: earlier ? 'authorization.updated' : 'authorization.granted',
      resource: { type: 'authorization', id },
      details: {
        clientId,
        scopes: data.scopes,
        workspaceIds: data.workspaceIds,
        projectIds: data.projectIds,
      },
    })
    return { id }
  })
}
