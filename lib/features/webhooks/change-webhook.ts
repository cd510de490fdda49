import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { lockApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Webhook } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import { createWebhookInput, updateWebhookInput } from './input'
import { recordedUrl } from './recorded-url'
import { requireWebhook } from './require-webhook'
import { mintSigningSecret } from './sign-payload'

const maxWebhooks = 20
const maxOfApp = 5

/** A webhook just made, and the secret its messages are signed with, which is never to be had again. */
export type NewWebhook = { webhook: Webhook; secret: string }

/**
 * Makes a webhook of a workspace, or the endpoint of one of its apps. Takes `workspace:manage-webhooks`, for an app
 * `workspace:manage-apps` as well. Only addresses on the public internet are taken.
 * @param input `workspaceId`, `clientId` (an app's), `url` (https), `events`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many), NOT_FOUND (no such app), and as `authorizeWorkspace`
 */
export async function createWebhook(actor: Actor, input: unknown): Promise<NewWebhook> {
  const ofApp = Boolean((input as { clientId?: unknown } | null)?.clientId)
  const { workspaceId, clientId, url, events } = parseInput(createWebhookInput(ofApp), input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  const app = clientId ? await requireApp(actor, clientId) : undefined
  if (app && app.workspaceId !== workspace.id) throw badInput('clientId', 'Name an app of this workspace.')
  const owner = { workspaceId: workspace.id, clientId: app?.id ?? null }
  const secret = mintSigningSecret()
  const sealedSecret = Uint8Array.from(seal(secret, 'webhook-secret'))
  const webhook = await prisma().$transaction(async (tx) => {
    if (app) await lockApp(tx, actor, app)
    await holdWorkspace(tx, actor, 'workspace:manage-webhooks', workspace.id)
    if ((await tx.webhook.count({ where: owner })) >= (app ? maxOfApp : maxWebhooks)) {
      const most = app ? `An app has at most ${maxOfApp}` : `A workspace has at most ${maxWebhooks}`
      throw new AppError('CONFLICT', `${most} webhooks.`)
    }
    const made = await tx.webhook.create({ data: { ...owner, url, events, sealedSecret } })
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
  const before = await requireWebhook(actor, id)
  const { url, events, enabled } = parseInput(updateWebhookInput(before.clientId !== null), input)
  const disabledAt = enabled == null ? undefined : enabled ? null : (before.disabledAt ?? new Date())
  return prisma().$transaction(async (tx) => {
    await holdWorkspace(tx, actor, 'workspace:manage-webhooks', before.workspaceId)
    const [changed] = await tx.webhook.updateManyAndReturn({
      // It may have gone elsewhere with its app since it was looked up.
      where: { id: before.id, workspaceId: before.workspaceId },
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
    await holdWorkspace(tx, actor, 'workspace:manage-webhooks', webhook.workspaceId)
    const { count } = await tx.webhook.deleteMany({
      where: { id: webhook.id, workspaceId: webhook.workspaceId },
    })
    if (count === 0) throw new AppError('NOT_FOUND')
    await record(tx, actor, 'webhook.deleted', webhook)
  })
}

const record = (
  tx: Parameters<typeof recordEvent>[0],
  actor: Actor,
  action: string,
  { id, workspaceId, clientId, url, events }: Webhook,
) =>
  recordEvent(tx, actor, {
    action,
    resource: { type: 'webhook', id },
    workspaceId,
    details: { url: recordedUrl(url), events, ...(clientId && { clientId }) },
  })
