import { z } from 'zod'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { requireRoom } from '@/lib/base/db/require-room'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { lockApp, type OAuthApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { requirePerson } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'

/** How long an offer can be accepted. */
export const offerDays = 7

/** Apps that one workspace can be offered at a time, so that nobody fills its list. */
const mostOffers = 20

/** Admins of other workspaces are told and mailed of an offer. */
const perPerson: AttemptLimit = {
  name: 'offer-app',
  points: 20,
  seconds: 86_400,
  message: 'You have offered many apps today. Wait until tomorrow.',
}

const offerInput = z.object({
  workspace: z.string().trim().toLowerCase().min(1, 'Enter the address or the id of the workspace.'),
})

/**
 * Offers an app to another workspace, whose admins are told. Nothing changes until one of them accepts; an earlier offer of the app is
 * replaced. Takes `workspace:manage-apps` in the app's workspace.
 * See decision 208.
 * @param input `workspace`: the other one's address (its slug) or id
 * @returns the app
 * @throws AppError BAD_USER_INPUT (no such workspace, or its own), CONFLICT (the other one has too many offers), RATE_LIMITED,
 *   NOT_FOUND, and as `authorizeWorkspace`
 */
export async function offerApp(actor: Actor, appId: string, input: unknown): Promise<OAuthApp> {
  const { workspace: named } = parseInput(offerInput, input)
  const to = await prisma().workspace.findUnique({
    where: isId(named) ? { id: named } : { slug: named },
    select: { id: true, name: true },
  })
  if (to) bindApproval(actor, { workspace: to.id })
  const app = await requireApp(actor, appId)
  requirePerson(actor)
  await countAttempt(perPerson, actor.userId)
  if (!to) throw badInput('workspace', 'There is no workspace with this address or id.')
  if (to.id === app.workspaceId) throw badInput('workspace', 'The app belongs to this workspace already.')
  const terms = {
    workspaceId: to.id,
    offeredById: actor.userId,
    createdAt: new Date(databaseNow()),
    expiresAt: new Date(databaseNow() + offerDays * 86_400_000),
  }
  await prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'workspaces' as const, id: to.id },
      most: mostOffers,
      message: 'This workspace has too many open offers. Its admins have to answer some first.',
    }
    const others = { workspaceId: to.id, clientId: { not: appId }, expiresAt: { gt: terms.createdAt } }
    await requireRoom(tx, room, () => tx.appOffer.count({ where: others }))
    await lockApp(tx, actor, app)
    await tx.appOffer.upsert({
      where: { clientId: appId },
      create: { clientId: appId, ...terms },
      update: terms,
    })
    for (const workspaceId of [app.workspaceId, to.id]) {
      await recordEvent(tx, actor, {
        action: 'oauth_app.offered',
        resource: { type: 'oauth_app', id: appId },
        workspaceId,
        details: { name: app.name, fromWorkspaceId: app.workspaceId, toWorkspaceId: to.id },
      })
    }
  })
  return app
}
