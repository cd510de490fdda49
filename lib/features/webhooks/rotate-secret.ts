import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import type { NewWebhook } from './change-webhook'
import { recordedUrl } from './recorded-url'
import { requireWebhook } from './require-webhook'
import { mintSigningSecret } from './sign-payload'

/** How long messages are signed with the secret before the last rotation too, so that a receiver can change over. */
const overlapHours = 24

/**
 * Gives a webhook a new signing secret. For a day every message carries two signatures, one of each secret, as the Standard
 * Webhooks specification has it; a secret that was on its way out already ends at once. Takes `workspace:manage-webhooks`.
 * @returns the webhook, and the new secret, which is never to be had again
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function rotateWebhookSecret(actor: Actor, id: string): Promise<NewWebhook> {
  const { id: webhookId, workspaceId } = await requireWebhook(actor, id, 'workspace:manage-secrets')
  const secret = mintSigningSecret()
  const webhook = await prisma().$transaction(async (tx) => {
    await holdWorkspace(tx, actor, 'workspace:manage-secrets', workspaceId)
    // Of two rotations at once, the later one keeps the earlier one's secret.
    await tx.$queryRaw`SELECT id FROM webhooks WHERE id = ${webhookId}::uuid FOR UPDATE`
    const before = await tx.webhook.findUnique({ where: { id: webhookId, workspaceId } })
    if (!before) throw new AppError('NOT_FOUND')
    const changed = await tx.webhook.update({
      where: { id: webhookId },
      data: {
        sealedSecret: Uint8Array.from(seal(secret, 'webhook-secret')),
        sealedPreviousSecret: before.sealedSecret,
        previousSecretExpiresAt: new Date(Date.now() + overlapHours * 3_600_000),
      },
    })
    await recordEvent(tx, actor, {
      action: 'webhook.secret_rotated',
      resource: { type: 'webhook', id: changed.id },
      workspaceId: changed.workspaceId,
      details: { url: recordedUrl(changed.url) },
    })
    return changed
  })
  return { webhook, secret }
}
