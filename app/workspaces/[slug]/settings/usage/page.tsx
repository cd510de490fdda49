import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { usageRangeOf } from '@/app/workspaces/usage-range'
import { UsageSection } from '@/components/apps/usage-section'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { readWorkspaceUsage } from '@/lib/features/apps/activity/read-usage'

export const metadata: Metadata = { title: 'Usage' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

/**
 * The page with the combined usage of all OAuth apps in the workspace. The page of each app shows only that
 * app's usage.
 */
export default async function UsagePage({ params, searchParams }: Props) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/usage',
    'workspace:manage-apps',
  )
  const query = await searchParams
  const range = usageRangeOf(query)
  return (
    <UsageSection
      title="All OAuth apps"
      slots={await orNotFound(readWorkspaceUsage(actor, workspace.id, range))}
      range={range}
      shown={textOf(query, 'show')}
      path={`${home}/settings/usage`}
    />
  )
}
