import { prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import type { Webhook } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { isId, requireWorkspace } from '@/lib/policy/require'

/**
 * Loads a webhook and requires the right to manage it: ADMIN in its workspace.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function requireWebhook(
  actor: Actor,
  id: string,
  permission: 'workspace:manage-webhooks' | 'workspace:manage-secrets' = 'workspace:manage-webhooks',
): Promise<Webhook> {
  const unknown = new AppError('NOT_FOUND', 'There is no such webhook, or you cannot see it.', {
    resource: { type: 'webhook', id },
  })
  const webhook = isId(id) ? await prisma().webhook.findUnique({ where: { id } }) : null
  if (!webhook) throw unknown
  // Whoever cannot see the workspace must not learn its id from here.
  await requireWorkspace(actor, permission, webhook.workspaceId, { type: 'webhook', id }).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
  })
  return webhook
}
