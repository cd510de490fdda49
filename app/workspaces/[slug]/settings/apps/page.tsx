import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { InstalledSection, listedInstalled } from '@/components/app-access/installed-apps'
import { PolicyReview, PolicySection } from '@/components/app-access/policy-review'
import { PlacedPages, RequestInbox } from '@/components/app-access/request-inbox'
import { RequiredApprovalsSection } from '@/components/app-access/required-approvals-section'
import { Stack } from '@/components/ui/stack'
import { addressOf, oneOf, type SearchParams, searchOf, textPageOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { appPolicies } from '@/lib/features/app-access/input'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { countUsersOfLosses, previewPolicy } from '@/lib/features/app-access/policy'
import { listRequestedApps } from '@/lib/features/app-access/requests'
import { sensitiveActions, workspaceActions } from '@/lib/policy/approvals'
import { setPolicyAction, setRequiredApprovalsAction } from './actions'
import { TokensWithAccess } from './tokens-with-access'

export const metadata: Metadata = { title: 'Apps' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceAppsPage({ params, searchParams }: Props) {
  const { slug } = await params
  const { actor, workspace, home } = await openWorkspace(slug, '/settings/apps', 'workspace:decide-apps')
  const path = `${home}/settings/apps`
  const query = await searchParams
  const search = searchOf(query)
  const policy = oneOf(query, 'policy', appPolicies)
  // If `?policy=` differs from the current policy, show only the review of this change.
  if (policy !== undefined && policy !== workspace.appPolicy) {
    const losses = await previewPolicy(actor, workspace.id, policy)
    return (
      <PolicyReview
        workspaceId={workspace.id}
        policy={policy}
        losses={losses}
        users={await countUsersOfLosses(actor, workspace.id, losses)}
        path={path}
        action={setPolicyAction}
      />
    )
  }
  const page = textPageOf(query)
  const apps = await orNotFound(listInstalled(actor, workspace.id, page, { search }))
  const asking = textPageOf({ after: query['asked-after'], before: query['asked-before'] }, 10)
  const requests = await listRequestedApps(actor, workspace.id, asking, { search })
  return (
    <Stack>
      {requests.rows.length > 0 && <RequestInbox apps={requests.rows} path={path} />}
      <PlacedPages
        places={requests.rows.map(({ id }) => id)}
        sides={requests}
        href={(side, cursor) => addressOf(path, { search, [`asked-${side}`]: cursor })}
        label="Pages of requests"
      />
      <PolicySection policy={workspace.appPolicy} path={path} />
      <InstalledSection
        apps={apps.rows.map(listedInstalled)}
        path={path}
        search={search}
        searchable={Boolean(
          search || apps.rows.length > 5 || page.after || page.before || requests.rows.length > 5,
        )}
      />
      <PlacedPages
        places={apps.rows.map(({ place }) => place)}
        sides={apps}
        href={(side, cursor) => addressOf(path, { search, [side]: cursor })}
        label="Pages of apps"
      />
      <TokensWithAccess actor={actor} workspaceId={workspace.id} href={`${home}/settings/tokens`} />
      <RequiredApprovalsSection
        workspaceId={workspace.id}
        choices={workspaceActions.map((value) => ({ value, ...sensitiveActions[value] }))}
        chosen={workspace.requiresApprovalFor}
        action={setRequiredApprovalsAction}
      />
    </Stack>
  )
}
