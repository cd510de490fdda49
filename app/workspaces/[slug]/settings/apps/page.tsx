import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { InstalledSection, listedInstalled } from '@/components/app-access/installed-apps'
import { PolicyReview, PolicySection, policies } from '@/components/app-access/policy-review'
import { RequestInbox } from '@/components/app-access/request-inbox'
import { RequiredApprovalsSection } from '@/components/app-access/required-approvals-section'
import { FilterChip } from '@/components/lists/filters'
import { ListFooter, NoMatch } from '@/components/lists/list-frame'
import { ListSearch } from '@/components/lists/list-search'
import { Card } from '@/components/ui/card'
import { TextLink } from '@/components/ui/link'
import { Stack } from '@/components/ui/stack'
import { cursorOfPlace, emptySlice } from '@/lib/base/db/paging'
import { oneOf, pageHrefs, type SearchParams, searchOf, textPageOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { appPolicies } from '@/lib/features/app-access/input'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { countUsersOfLosses, previewPolicy } from '@/lib/features/app-access/policy'
import { listRequestedApps } from '@/lib/features/app-access/requests'
import { sensitiveActions, workspaceActions } from '@/lib/policy/approvals'
import { setPolicyAction, setRequiredApprovalsAction } from './actions'
import { TokensWithAccess } from './tokens-with-access'

export const metadata: Metadata = { title: 'Apps' }

/** The choices of the status filter. `requested` shows only the requests, and the others only the apps. */
const states = { requested: 'Requested', allowed: 'Allowed', blocked: 'Blocked', excluded: 'Not allowed' }
const appStates = { allowed: 'ALLOWED', blocked: 'BLOCKED', excluded: 'EXCLUDED' } as const

/** The number of apps or requests from which the page has a search field. */
const searchable = 6

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
  const shown = oneOf(query, 'state', Object.keys(states) as (keyof typeof states)[])
  const state = shown === 'requested' ? undefined : shown && appStates[shown]
  const asking = textPageOf({ after: query['asked-after'], before: query['asked-before'] }, 10)
  const [requests, apps] = await Promise.all([
    state ? emptySlice : listRequestedApps(actor, workspace.id, asking, { search }),
    shown === 'requested'
      ? emptySlice
      : orNotFound(listInstalled(actor, workspace.id, textPageOf(query), { search, state })),
  ])
  const [requestCount, appCount] = await Promise.all([requests.count(), apps.count()])
  const kept = { search, state: shown ?? '' }
  const filtered = search !== '' || shown !== undefined
  return (
    <Stack>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {(filtered || requestCount >= searchable || appCount >= searchable) && (
          <div className="flex flex-wrap items-center gap-2">
            <ListSearch
              path={path}
              label="Search apps and requests"
              value={search}
              kept={{ state: kept.state }}
            />
            <FilterChip path={path} name="state" label="Status" choices={states} value={shown} kept={kept} />
            <p className="text-[13px] text-muted sm:ml-auto">
              Policy: <TextLink href="#policy">{policies[workspace.appPolicy].label}</TextLink>
            </p>
          </div>
        )}
        {requestCount > 0 && (
          <RequestInbox
            apps={requests.rows}
            path={path}
            footer={
              <ListFooter
                {...pageHrefs(path, kept, requests.rows, requests, ({ id }) => cursorOfPlace(id), 'asked-')}
                total={requestCount}
                noun={['requested app', 'requested apps']}
              />
            }
          />
        )}
        {(appCount > 0 || !filtered) && (
          <InstalledSection
            apps={apps.rows.map(listedInstalled)}
            path={path}
            footer={
              <ListFooter
                {...pageHrefs(path, kept, apps.rows, apps, ({ place }) => cursorOfPlace(place))}
                total={appCount}
                noun={['app', 'apps']}
              />
            }
          />
        )}
        {filtered && requestCount + appCount === 0 && (
          <Card>
            <NoMatch path={path} noun="app or request" search={search} filtered={shown !== undefined} />
          </Card>
        )}
      </div>
      <PolicySection policy={workspace.appPolicy} path={path} />
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
