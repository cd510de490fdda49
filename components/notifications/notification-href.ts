/**
 * The page of the console where something can be done about a notification.
 * @param slug the address of the workspace it is about, when it is about one the person can still open
 */
export function notificationHref(
  { type, workspaceId, resource }: { type: string; workspaceId: string | null; resource: unknown },
  slug: string | undefined,
): string | undefined {
  const about = resource as { type?: string; id?: string } | null
  if (about?.type === 'approval' || about?.type === 'ask') return `/approvals/${about.id}`
  if (type === 'TOKEN_EXPIRING' && about?.type !== 'oauth_app') return '/account/tokens'
  if (type === 'APP_REQUESTED' && !workspaceId) return '/operator/apps?state=waiting'
  if (!workspaceId) return '/account/apps'
  if (!slug) return undefined
  if (type === 'TOKEN_EXPIRING') return `/workspaces/${slug}/settings/developer/${about?.id}/credentials`
  if (about?.type === 'app_domain') return `/workspaces/${slug}/settings/developer/${about.id}`
  if (about?.type === 'company_domain') return `/workspaces/${slug}/settings/company`
  if (about?.type === 'app_offer') return `/workspaces/${slug}/settings/developer`
  if (type === 'APP_REQUESTED') return `/workspaces/${slug}/settings/apps`
  return type === 'MEMBER_ADDED' ? `/workspaces/${slug}/members` : `/workspaces/${slug}`
}
