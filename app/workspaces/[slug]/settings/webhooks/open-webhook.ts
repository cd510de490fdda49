import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireApp } from '@/lib/features/apps/require-app'
import { requireWebhook } from '@/lib/features/webhooks/redeliver'
import type { Actor } from '@/lib/policy/actor'

/**
 * Returns the app whose webhooks a page shows, and the path of their list. Without a client ID, the app is
 * undefined and the list is the workspace's. If the workspace does not own the app, the user gets a 404.
 * @param workspace the workspace that must own the app
 */
export async function placeOfWebhooks(
  { actor, workspace, home }: { actor: Actor; workspace: { id: string }; home: string },
  clientId: string | null | undefined,
) {
  const app = clientId ? await orNotFound(requireApp(actor, clientId)) : undefined
  if (app && app.workspaceId !== workspace.id) notFound()
  const pagesHref = `${home}/settings/webhooks`
  const developerHref = `${home}/settings/developer`
  return app
    ? {
        app: { id: app.id, name: app.name },
        pagesHref,
        listHref: `${developerHref}/${app.id}`,
        trail: [
          { label: 'Developer', href: developerHref },
          { label: app.name, href: `${developerHref}/${app.id}` },
        ],
      }
    : {
        app: undefined,
        pagesHref,
        listHref: pagesHref,
        trail: [{ label: 'Webhooks', href: pagesHref }],
      }
}

/** Returns the webhook. Reads the webhook once per request for both the title and the content of the page. */
const readWebhook = cache(requireWebhook)

/**
 * Returns the webhook of a page, and the list that contains the webhook. If another workspace owns the
 * webhook, the user gets a 404.
 * @param below the path below the webhook, to return to after the sign-in
 */
export async function openWebhook(params: Promise<{ slug: string; id: string }>, below = '') {
  const { slug, id } = await params
  const opened = await openWorkspace(slug, `/settings/webhooks/${id}${below}`, 'workspace:manage-webhooks')
  const webhook = await orNotFound(readWebhook(opened.actor, id))
  if (webhook.workspaceId !== opened.workspace.id) notFound()
  const place = await placeOfWebhooks(opened, webhook.clientId)
  const ends = webhook.previousSecretExpiresAt
  return {
    ...opened,
    ...place,
    webhook,
    href: `${place.pagesHref}/${id}`,
    disabled: webhook.disabledAt !== null,
    previousUntil: ends && ends > new Date() ? ends : null,
  }
}
