import { seal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { dropDomain } from '@/lib/features/apps/app-domain'
import { toColumns } from '@/lib/features/apps/app-metadata'
import { requireAppRoom } from '@/lib/features/apps/create-app'
import { lockApp, requireApp } from '@/lib/features/apps/require-app'
import { recordInBoth } from '@/lib/features/audit/record-event'
import { mintSigningSecret } from '@/lib/features/webhooks/deliver'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { graceEnd, requireProduction } from '@/lib/policy/app-status'
import { bindApproval } from '@/lib/policy/approvals'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { type AppTransfer, findTransfers } from './request-transfer'

/**
 * Accepts an app transfer. The app then belongs to the receiving workspace, and its authorizations and
 * installations remain. Removes the app's verification, domain, and back-channel logout URI. Moves the app's
 * webhooks to the receiving workspace, disables them, and replaces their signing secrets. Notifies the former
 * owner's admins. The former owner's client secrets expire within `graceDays` days, or earlier if the new
 * admins finish the transfer (finish-transfer.ts). Requires `workspace:manage-apps` in the receiving
 * workspace. If the app is in production, also requires that the actor's email address is confirmed. See ADR
 * 0021.
 * @returns the updated app
 * @throws AppError NOT_FOUND (no such transfer, or the caller is not the receiver), CONFLICT (answered,
 * replaced, or canceled in the meantime, or too many apps), and the errors of `requireProduction` and
 * `authorizeWorkspace`
 */
export async function acceptTransfer(actor: Actor, appId: string): Promise<OAuthClient> {
  const offer = await requireTransfer(actor, appId)
  if (!offer.app.inDevelopment) await requireProduction(actor)
  return prisma().$transaction(async (tx) => {
    // Lock the receiving workspace, then the app, then the role, then the transfer. Transfer requests and
    // cancellations take these locks in the same order, so the transactions cannot deadlock. See ADR 0017.
    await requireAppRoom(tx, offer.to.id)
    await tx.$queryRaw`SELECT id FROM oauth_clients WHERE id = ${appId} FOR NO KEY UPDATE`
    await lockWorkspaceRole(tx, actor, 'workspace:manage-apps', offer.to.id)
    // Read the clock after locking the app. Otherwise, the former owner could add a secret after
    // `transferredAt` while this transaction waits for the lock. `finishTransfer` would not delete that
    // secret.
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
    // Remove the app's domain, because the former owner controls the DNS record or file that proves the
    // domain.
    await dropDomain(tx, actor, app)
    // Move the webhooks to the receiving workspace. Disable them, because their URLs belong to the former
    // owner, who must no longer receive user events. Replace their signing secrets, which the former owner
    // knows and could use to forge messages. The new admins get a secret when they rotate it.
    await tx.webhook.updateMany({
      where: { clientId: appId },
      data: {
        workspaceId: offer.to.id,
        disabledAt: new Date(),
        sealedSecret: Uint8Array.from(seal(mintSigningSecret(), 'webhook-secret')),
        sealedPreviousSecret: null,
        previousSecretExpiresAt: null,
      },
    })
    return app
  })
}

/**
 * Declines an app transfer, and notifies the admins of the app's workspace. Requires `workspace:manage-apps`
 * in the receiving workspace.
 * @throws AppError NOT_FOUND (no such transfer, or the caller is not the receiver), CONFLICT (answered,
 * replaced, or canceled in the meantime), and the errors of `requireWorkspace`
 */
export async function declineTransfer(actor: Actor, appId: string): Promise<void> {
  const offer = await requireTransfer(actor, appId)
  await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-apps', offer.to.id)
    await settle(tx, actor, offer, 'oauth_app.transfer_declined')
  })
}

/**
 * Cancels an app transfer. Requires `workspace:manage-apps` in the app's workspace.
 * @throws AppError NOT_FOUND (no such app), CONFLICT (no open transfer, or the transfer was answered or
 * replaced in the meantime), and the errors of `requireWorkspace`
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

/**
 * Deletes the transfer that the caller has read, and records the event in the audit logs of both workspaces
 * (`recordInBoth`).
 * @throws AppError CONFLICT if the transfer was answered, replaced, or canceled in the meantime. Without this
 * check, the caller could answer a newer transfer than the one that was read.
 */
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
  const record = {
    action,
    resource: { type: 'oauth_app', id },
    details: { name: app.name, fromWorkspaceId: from.id, toWorkspaceId: to.id, ...more },
  }
  const [own, other] = action === 'oauth_app.transfer_canceled' ? [from, to] : [to, from]
  await recordInBoth(tx, actor, record, own.id, other.id)
}

/**
 * Returns an app's open transfer. Requires `workspace:manage-apps` in the receiving workspace.
 * @throws AppError NOT_FOUND (no open transfer, or the actor has no access to the receiving workspace), and
 * the errors of `requireWorkspace`
 */
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
  new AppError('NOT_FOUND', 'The transfer request was not found, or you don’t have access to it.', {
    resource: { type: 'oauth_app', id },
  })

const goneMeanwhile = () =>
  new AppError(
    'CONFLICT',
    'The transfer request was already answered, changed, or canceled. Reload and try again.',
  )
