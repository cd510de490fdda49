import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Webhook } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { createWebhookInput, updateWebhookInput } from './input'
import { recordedUrl } from './recorded-url'
import { requireWebhook } from './require-webhook'
import { mintSigningSecret } from './sign-payload'

const maxWebhooks = 20

/** A webhook just made, and the secret its messages are signed with, which is never to be had again. */
export type NewWebhook = { webhook: Webhook; secret: string }

/**
 * Makes a webhook of a workspace. Takes `workspace:manage-webhooks`. Only addresses on the public internet are taken.
 * @param input `workspaceId`, `url` (https), `events`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many), and as `authorizeWorkspace`
 */
export async function createWebhook(actor: Actor, input: unknown): Promise<NewWebhook> {
  const { workspaceId, url, events } = parseInput(createWebhookInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  const secret = mintSigningSecret()
  const sealedSecret = Uint8Array.from(seal(secret, 'webhook-secret'))
  const webhook = await prisma().$transaction(async (tx) => {
    if ((await tx.webhook.count({ where: { workspaceId: workspace.id } })) >= maxWebhooks) {
      throw new AppError('CONFLICT', `A workspace has at most ${maxWebhooks} webhooks.`)
    }
    const made = await tx.webhook.create({ data: { workspaceId: workspace.id, url, events, sealedSecret } })
    await record(tx, actor, 'webhook.created', made)
    return made
  })
  return { webhook, secret }
}

/**
 * Changes a webhook, or switches it on or off. Takes `workspace:manage-webhooks`.
 * @param input `url`, `events`, `enabled`; what is left out stays
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function updateWebhook(actor: Actor, id: string, input: unknown): Promise<Webhook> {
  const { url, events, enabled } = parseInput(updateWebhookInput, input)
  const before = await requireWebhook(actor, id)
  const disabledAt = enabled == null ? undefined : enabled ? null : (before.disabledAt ?? new Date())
  return prisma().$transaction(async (tx) => {
    const [changed] = await tx.webhook.updateManyAndReturn({
      where: { id: before.id },
      data: { url: url ?? undefined, events: events ?? undefined, disabledAt },
    })
    if (!changed) throw new AppError('NOT_FOUND')
    await record(tx, actor, 'webhook.updated', changed)
    return changed
  })
}

/**
 * Deletes a webhook with its log. Takes `workspace:manage-webhooks`.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function deleteWebhook(actor: Actor, id: string): Promise<void> {
  const webhook = await requireWebhook(actor, id)
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { id: webhook.id } })
    if (count > 0) await record(tx, actor, 'webhook.deleted', webhook)
  })
}

const record = (
  tx: Parameters<typeof recordEvent>[0],
  actor: Actor,
  action: string,
  { id, workspaceId, url, events }: Webhook,
) =>
  recordEvent(tx, actor, {
    action,
    resource: { type: 'webhook', id },
    workspaceId,
    details: { url: recordedUrl(url), events },
  })
