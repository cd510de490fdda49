import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Webhook, WebhookDelivery } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { requireWebhook } from './require-webhook'

/**
 * The webhooks of a workspace, oldest first; there are never many. Takes `workspace:manage-webhooks`.
 * @throws as `authorizeWorkspace`
 */
export async function listWebhooks(actor: Actor, workspaceId: string): Promise<Webhook[]> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  return prisma().webhook.findMany({ where: { workspaceId: workspace.id }, orderBy: { id: 'asc' } })
}

/**
 * One page of what a webhook was sent, the latest first. Takes `workspace:manage-webhooks`.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function listDeliveries(
  actor: Actor,
  webhookId: string,
  page: Page,
): Promise<Slice<WebhookDelivery>> {
  const webhook = await requireWebhook(actor, webhookId)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().webhookDelivery.findMany({
    where: { webhookId: webhook.id, id: bounds },
    ...window,
  })
  return cutPage(page, rows)
}
