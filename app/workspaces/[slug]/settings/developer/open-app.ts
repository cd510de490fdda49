import { notFound } from 'next/navigation'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getApp } from '@/lib/features/apps/read-apps'
import { requestableScopes } from '@/lib/policy/scopes'

/** Read once per request, for the tabs and for the page alike. */
const readApp = cache(getApp)

/**
 * The OAuth app a page is about.
 * @param params of the page's address
 * @param below the rest of the page's address, for the way back after signing in
 * @returns what `openWorkspace` does, the app, its address and that of the list
 */
export async function openApp(params: Promise<{ slug: string; clientId: string }>, below = '') {
  const { slug, clientId } = await params
  const opened = await openWorkspace(slug, `/settings/developer/${clientId}${below}`, 'workspace:manage-apps')
  const app = await orNotFound(readApp(opened.actor, clientId))
  if (app.workspaceId !== opened.workspace.id) notFound()
  const developerHref = `${opened.home}/settings/developer`
  return { ...opened, app, developerHref, address: `${developerHref}/${app.id}` }
}

/** Returns the scope parameter of a test sign-in, within the scopes that the app can request. */
export const testSignInScope = ({ allowedScopes }: { allowedScopes: string[] }): string =>
  requestableScopes(['openid', 'profile', 'email'], allowedScopes).join(' ')
