import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { InstalledSection } from '@/components/app-access/installed-section'
import { listedInstalled } from '@/components/app-access/listed-installed'
import { PolicyReview } from '@/components/app-access/policy-review'
import { PolicySection } from '@/components/app-access/policy-section'
import { RequestsSection } from '@/components/app-access/requests-section'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { cursorOfPlace } from '@/lib/base/db/page-of-all'
import { addressOf, oneOf, type SearchParams, textOf, textPageOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { appPolicies } from '@/lib/features/app-access/input'
import { type InstalledApp, pageInstalled, placeOfInstalled } from '@/lib/features/app-access/list-installed'
import { listRequests } from '@/lib/features/app-access/list-requests'
import { previewPolicy } from '@/lib/features/app-access/preview-policy'
import { declineRequestsAction, setPolicyAction } from './actions'

export const metadata: Metadata = { title: 'Apps' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceAppsPage({ params, searchParams }: Props) {
  const { slug } = await params
  const { actor, workspace, home } = await openWorkspace(slug, '/settings/apps', 'workspace:decide-apps')
  const path = `${home}/settings/apps`
  const query = await searchParams
  const search = textOf(query, 'search')
  const policy = oneOf(query, 'policy', appPolicies)
  const page = textPageOf(query)
  const { rows, ...sides } = await orNotFound(pageInstalled(actor, workspace.id, page, { search }))
  const requests = await listRequests(actor, workspace.id)
  const at = (side: 'before' | 'after', row: InstalledApp | undefined) =>
    addressOf(path, { search, [side]: row && cursorOfPlace(placeOfInstalled(row)) })
  return (
    <Stack>
      {policy && policy !== workspace.appPolicy ? (
        <PolicyReview
          workspaceId={workspace.id}
          policy={policy}
          losses={await previewPolicy(actor, workspace.id, policy)}
          path={path}
          action={setPolicyAction}
        />
      ) : (
        <PolicySection policy={workspace.appPolicy} chosen={workspace.appPolicy} path={path} />
      )}
      {requests.length > 0 && (
        <RequestsSection
          requests={requests}
          workspaceId={workspace.id}
          path={path}
          decline={declineRequestsAction}
        />
      )}
      <InstalledSection
        apps={rows.map(listedInstalled)}
        path={path}
        tokensHref={`${home}/settings/tokens`}
        search={search}
        searchable={Boolean(search || rows.length > 5 || page.after || page.before)}
      />
      {(sides.hasPreviousPage || sides.hasNextPage) && (
        <Pagination
          previous={sides.hasPreviousPage ? at('before', rows[0]) : undefined}
          next={sides.hasNextPage ? at('after', rows.at(-1)) : undefined}
          label="Pages of apps"
        />
      )}
    </Stack>
  )
}
