import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getApp } from '@/lib/features/apps/read-apps'
import { requestableScopes } from '@/lib/policy/scopes'

/** Returns the app. Reads the app once per request for both the tabs and the content of the page. */
const readApp = cache(getApp)

/**
 * Returns the OAuth app of a page. If another workspace owns the app, the user gets a 404.
 * @param params the dynamic segments of the route
 * @param below the path below the app, to return to after the sign-in
 * @returns the result of `openWorkspace`, the app, its path, and the path of the list
 */
export async function openApp(params: Promise<{ slug: string; clientId: string }>, below = '') {
  const { slug, clientId } = await params
  const opened = await openWorkspace(slug, `/settings/developer/${clientId}${below}`, 'workspace:manage-apps')
  const app = await orNotFound(readApp(opened.actor, clientId))
  if (app.workspaceId !== opened.workspace.id) notFound()
  const developerHref = `${opened.home}/settings/developer`
  return { ...opened, app, developerHref, address: `${developerHref}/${app.id}` }
}

/**
 * Returns the `scope` parameter of a test sign-in: those of the scopes `openid`, `profile`, and `email` that
 * the app can request.
 */
export const testSignInScope = ({ allowedScopes }: { allowedScopes: string[] }): string =>
  requestableScopes(['openid', 'profile', 'email'], allowedScopes).join(' ')
