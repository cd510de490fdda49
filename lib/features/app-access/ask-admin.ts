import { countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { projectNote, workspaceNote } from '@/lib/features/apps/authorizations/admission-notes'
import { loadSelectable } from '@/lib/features/apps/authorizations/load-selectable'
import { selectableFamilies } from '@/lib/features/apps/authorizations/selection-groups'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { resourceOf } from '@/lib/policy/scopes'
import { wordInput } from './input'

const limit = {
  name: 'ask-admin',
  points: 20,
  seconds: 86_400,
  message: 'You have asked often today. Wait until tomorrow.',
}

/** What somebody asks: for which app, where, what it wants to do there, and why. */
export type Asked = { clientId: string; workspaceId: string; scopes: readonly string[]; reason: string }

/**
 * Asks the admins of a workspace to let an app in, or further in; they are told. Asking again replaces the former request.
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (nothing of it that the person could share), CONFLICT (it comes in already, or its
 *   admins do not take requests), RATE_LIMITED
 */
export async function askAdmin(actor: SessionActor, asked: Asked): Promise<void> {
  const { clientId, workspaceId } = asked
  const reason = parseInput(wordInput, asked.reason)
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId },
    select: { name: true, workspaceId: true },
  })
  if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
  const judged = { clientId, workspaceId: app.workspaceId }
  const offered = await loadSelectable(actor, selectableFamilies(asked.scopes), judged)
  const notes = [
    ...offered.workspaces
      .filter(({ id }) => id === workspaceId)
      .map((each) => ({ note: workspaceNote(each.admission, asked.scopes) })),
    ...offered.projects
      .filter(({ workspace }) => workspace.id === workspaceId)
      .map((each) => ({ note: projectNote(each.admission, each.id, asked.scopes) })),
  ]
  if (notes.length === 0) throw new AppError('NOT_FOUND', 'There is no such workspace, or you cannot see it.')
  if (!notes.some(({ note }) => note?.askable)) {
    throw new AppError('CONFLICT', 'There is nothing to ask for here.')
  }
  await countAttempt(limit, actor.userId)
  const scopes = asked.scopes.filter((scope) => resourceOf(scope))
  const createdAt = new Date(databaseNow())
  const state = { scopes, reason, state: 'OPEN' as const, createdAt, decidedAt: null }
  await prisma().$transaction(async (tx) => {
    await tx.workspaceAppRequest.upsert({
      where: { workspaceId_clientId_userId: { workspaceId, clientId, userId: actor.userId } },
      create: { workspaceId, clientId, userId: actor.userId, ...state },
      update: state,
    })
    await recordEvent(tx, actor, {
      action: 'app.requested',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId,
      details: { name: app.name, scopes, ...(reason ? { reason } : {}) },
    })
  })
}
