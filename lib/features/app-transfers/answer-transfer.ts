import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { dropDomain } from '@/lib/features/apps/app-domain'
import { toColumns } from '@/lib/features/apps/app-metadata'
import { lockApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { graceEnd, requireProduction } from '@/lib/policy/app-status'
import { bindApproval } from '@/lib/policy/approvals'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import { type AppTransfer, findTransfers } from './request-transfer'

/**
 * Accepts an app that is offered to a workspace, to which it belongs from then on. Authorizations and installations stay. What the
 * former owner stands for or receives ends: the verification, the proven domain, webhooks, and back-channel logout. Its client
 * secrets expire after `graceDays`, unless its new admins finish the transfer earlier (finish-transfer.ts). Requires
 * `workspace:manage-apps` in the workspace it is offered to, and a confirmed email address for an app in production.
 * See ADR 0027.
 * @returns the app as it is now
 * @throws AppError NOT_FOUND (no such offer, or not to the caller), CONFLICT (answered in the meantime), and as `requireProduction`
 *   and `authorizeWorkspace`
 */
export async function acceptTransfer(actor: Actor, appId: string): Promise<OAuthClient> {
  const offer = await requireTransfer(actor, appId)
  if (!offer.app.inDevelopment) await requireProduction(actor)
  return prisma().$transaction(async (tx) => {
    // The app before its offer, as whoever offers or withdraws it, and the role between them: see ADR 0022.
    await tx.$queryRaw`SELECT id FROM oauth_clients WHERE id = ${appId} FOR NO KEY UPDATE`
    await holdWorkspace(tx, actor, 'workspace:manage-apps', offer.to.id)
    // By the clock after the lock: no secret that the former owner creates is later.
    const [row] = await tx.$queryRaw<[{ metadata: unknown; at: Date }]>`
      SELECT metadata, clock_timestamp() AS at FROM oauth_clients WHERE id = ${appId}`
    if (!row) throw goneMeanwhile()
    const { metadata, at: transferredAt } = row
    const expiresAt = graceEnd(transferredAt)
    const [app] = await tx.oAuthClient.updateManyAndReturn({
      where: { id: appId, workspaceId: offer.from.id },
      data: {
        workspaceId: offer.to.id,
        verifiedAt: null,
        transferredAt,
        metadata: toColumns(metadata, { backchannelLogoutUri: '' }).metadata,
        version: { increment: 1 },
      },
    })
    if (!app) throw goneMeanwhile()
    await tx.oAuthClientSecret.updateMany({
      where: { clientId: appId, OR: [{ expiresAt: null }, { expiresAt: { gt: expiresAt } }] },
      data: { expiresAt },
    })
    await settle(tx, actor, offer, 'oauth_app.transferred', { formerSecretsEndAt: expiresAt.toISOString() })
    // The record in DNS is the former owner's.
    await dropDomain(tx, actor, app)
    // Their addresses are the former owner's, who is not to hear of people any more. A secret on its way out was for their change-over.
    await tx.webhook.updateMany({
      where: { clientId: appId },
      data: {
        workspaceId: offer.to.id,
        disabledAt: new Date(),
        sealedPreviousSecret: null,
        previousSecretExpiresAt: null,
      },
    })
    return app
  })
}

/**
 * Declines an app that is offered to a workspace; its own admins are told. Takes `workspace:manage-apps` in the workspace it is
 * offered to.
 * @throws AppError as `acceptTransfer`
 */
export async function declineTransfer(actor: Actor, appId: string): Promise<void> {
  const offer = await requireTransfer(actor, appId)
  await prisma().$transaction(async (tx) => {
    await holdWorkspace(tx, actor, 'workspace:manage-apps', offer.to.id)
    await settle(tx, actor, offer, 'oauth_app.transfer_declined')
  })
}

/**
 * Takes the offer of an app back. Takes `workspace:manage-apps` in the app's workspace.
 * @throws AppError NOT_FOUND (no such app), CONFLICT (there is no offer any more), and as `authorizeWorkspace`
 */
export async function cancelTransfer(actor: Actor, appId: string): Promise<void> {
  const app = await requireApp(actor, appId)
  const [offer] = await findTransfers(prisma(), { clientId: app.id })
  if (!offer) throw goneMeanwhile()
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await settle(tx, actor, offer, 'oauth_app.transfer_canceled')
  })
}

/** Ends exactly the offer that was read, so that nobody accepts another one than they saw, and writes it down on both sides. */
async function settle(
  tx: Db,
  actor: Actor,
  { id, app, from, to, createdAt }: AppTransfer,
  action: string,
  more: Record<string, string> = {},
): Promise<void> {
  const { count } = await tx.appTransfer.deleteMany({
    where: { clientId: id, workspaceId: to.id, createdAt },
  })
  if (count === 0) throw goneMeanwhile()
  for (const workspace of [from, to]) {
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id },
      workspaceId: workspace.id,
      details: { name: app.name, fromWorkspaceId: from.id, toWorkspaceId: to.id, ...more },
    })
  }
}

/** The offer of an app to a workspace whose apps the actor manages. */
async function requireTransfer(actor: Actor, appId: string): Promise<AppTransfer> {
  const [offer] = await findTransfers(prisma(), { clientId: appId })
  if (!offer) throw unknownTransfer(appId)
  bindApproval(actor, { from: offer.from.id })
  const asked = { type: 'oauth_app', id: appId }
  await requireWorkspace(actor, 'workspace:manage-apps', offer.to.id, asked).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknownTransfer(appId) : error
  })
  return offer
}

const unknownTransfer = (id: string) =>
  new AppError('NOT_FOUND', 'There is no open transfer of this app to you.', {
    resource: { type: 'oauth_app', id },
  })

const goneMeanwhile = () => new AppError('CONFLICT', 'The transfer request changed. Reload and try again.')
