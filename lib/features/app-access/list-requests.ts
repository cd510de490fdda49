import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { closeRequests } from './close-requests'
import { wordInput } from './input'
import { requireDecider } from './require-decider'

/** An open request: who asks, for which app, what that wants to do, and why. */
export type AppRequest = {
  clientId: string
  name: string
  person: string
  scopes: string[]
  reason: string
  createdAt: Date
}

const most = 200

/** The open requests of a workspace, the oldest first. @throws AppError as `requireDecider` */
export async function listRequests(actor: Actor, workspaceId: string): Promise<AppRequest[]> {
  const { id } = await requireDecider(actor, workspaceId)
  const rows = await prisma().workspaceAppRequest.findMany({
    where: { workspaceId: id, state: 'OPEN' },
    include: { client: { select: { name: true } }, user: { select: { name: true } } },
    orderBy: { createdAt: 'asc' },
    take: most,
  })
  return rows.map(({ client, user, clientId, scopes, reason, createdAt }) => ({
    clientId,
    name: client.name,
    person: user.name,
    scopes,
    reason,
    createdAt,
  }))
}

/**
 * Declines what was asked for an app; whoever asked is told, with a word. `approveApp` answers requests the other way.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (nobody asks for it), and as `requireDecider`
 */
export async function declineRequests(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: { word?: string | null } = {},
): Promise<void> {
  const word = parseInput(wordInput, input.word ?? '')
  const { id } = await requireDecider(actor, workspaceId)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
    const askedBy = app ? await closeRequests(tx, id, clientId, 'DECLINED') : []
    if (!app || askedBy.length === 0) throw new AppError('NOT_FOUND', 'Nobody asks for this app any more.')
    await recordEvent(tx, actor, {
      action: 'app.request_declined',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name: app.name, askedBy, ...(word ? { word } : {}) },
    })
  })
}
