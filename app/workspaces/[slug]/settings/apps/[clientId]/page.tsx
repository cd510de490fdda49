import type { Metadata } from 'next'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { AppDecisions, AppFacts } from '@/components/app-access/app-facts'
import { ApprovalForm } from '@/components/app-access/approval-form'
import { InstallationSection } from '@/components/app-access/installation-section'
import { ReviewRequest } from '@/components/app-access/review-request'
import { AppUsersTable } from '@/components/app-access/users-table'
import { PageHeader } from '@/components/frame/page-header'
import { ManagedAccess } from '@/components/sso/managed-access'
import { Alert } from '@/components/ui/alert'
import { Section } from '@/components/ui/card'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import {
  addressOf,
  numberedPageOf,
  pageHrefs,
  pageOf,
  type SearchParams,
} from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { boundedScopes } from '@/lib/features/app-access/input'
import { listAppUsers } from '@/lib/features/app-access/list-app-users'
import { type InstalledApp, readInstalled } from '@/lib/features/app-access/list-installed'
import { listRequests } from '@/lib/features/app-access/requests'
import { listManagedUsers } from '@/lib/features/sso/managed-users'
import * as decisions from '../actions'

const actions = {
  block: decisions.blockAppAction,
  withdraw: decisions.withdrawDecisionAction,
  revoke: decisions.revokeForAllUsersAction,
}

/** The page arguments for the first 25 requests for an app. Further requests are only counted. */
const firstRequests = { limit: 25, backward: false, after: null, before: null }

/** The URL parameters of the list of SSO-managed users. The other list on the page uses the default names. */
const managedNames = { search: '', page: 'sso' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

/** Returns the app. Reads the app once per request for both the title and the content of the page. */
const readApp = cache(readInstalled)

async function openInstalled(params: Props['params']) {
  const { slug, clientId: segment } = await params
  const clientId = decodeURIComponent(segment)
  const opened = await openWorkspace(slug, `/settings/apps/${segment}`, 'workspace:decide-apps')
  const installed = await orNotFound(readApp(opened.actor, opened.workspace.id, clientId))
  return { ...opened, ...installed, clientId, path: `${opened.home}/settings/apps/${segment}` }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openInstalled(params)).app.name }
}

export default async function InstalledAppPage({ params, searchParams }: Props) {
  const { actor, workspace, home, path, clientId, app, projects, moreProjects, asked } =
    await openInstalled(params)
  const query = await searchParams
  const place = { id: workspace.id, clientId }
  const approval = app.decision?.decision === 'APPROVED' ? app.decision : undefined
  const [requests, users, managedUsers] = await Promise.all([
    listRequests(actor, workspace.id, firstRequests, { clientId }),
    listAppUsers(actor, workspace.id, clientId, pageOf(query)),
    app.managed &&
      listManagedUsers(actor, workspace.id, app.id, numberedPageOf(query, undefined, managedNames)),
  ])
  const userPages = pageHrefs(path, {}, users.rows, users)
  const limits = {
    offered: boundedScopes,
    // Include the scopes of an existing approval, because approving a request must not reduce that approval.
    scopes: asked.length > 0 ? [...asked, ...(approval?.scopes ?? [])] : (approval?.scopes ?? app.scopes),
    projects,
    moreProjects,
    chosen: approval?.projectIds ?? null,
    endsOn:
      approval?.expiresAt && !approval.ended ? approval.expiresAt.toISOString().slice(0, 10) : undefined,
    note: approval?.word ?? undefined,
  }
  return (
    <>
      <PageHeader title={app.name} trail={[{ label: 'Apps', href: `${home}/settings/apps` }]} />
      <Stack>
        {requests.rows.length > 0 && (
          <ReviewRequest
            name={app.name}
            place={place}
            requests={requests.rows}
            total={await requests.count()}
            limits={limits}
            notice={<PolicyNotice app={app} />}
            approve={decisions.approveAppAction}
            decline={decisions.declineRequestsAction}
          />
        )}
        <AppFacts app={app} />
        <InstallationSection
          app={app}
          projects={projects}
          place={place}
          path={`${home}/settings/apps`}
          suspend={decisions.suspendAppAction}
          resume={decisions.resumeAppAction}
          uninstall={decisions.uninstallAppAction}
        />
        {app.managed && managedUsers && (
          <ManagedAccess
            managed={app.managed}
            admission={app.admission}
            changeHref={`${home}/settings/sso`}
            users={managedUsers.rows}
            pages={managedPages(path, managedUsers)}
          />
        )}
        {app.runBy?.id !== workspace.id && requests.rows.length === 0 && (
          <ApprovalForm
            place={place}
            limits={limits}
            approved={approval !== undefined}
            action={decisions.approveAppAction}
          />
        )}
        {users.rows.length > 0 && (
          <Section
            title="People"
            description="Users who authorized this app for the workspace or its projects."
            flush
          >
            <AppUsersTable users={users.rows} />
          </Section>
        )}
        {(userPages.previous || userPages.next) && <Pagination {...userPages} label="Pages of people" />}
        <AppDecisions
          name={app.name}
          place={place}
          decision={app.decision?.decision}
          users={app.users}
          actions={actions}
        />
      </Stack>
    </>
  )
}

/**
 * Returns the URLs of the previous and the next page of SSO-managed users.
 * @param path the path of this page
 */
function managedPages(
  path: string,
  { number, size, total }: { number: number; size: number; total: number },
) {
  const href = (to: number) => addressOf(path, { [managedNames.page]: to > 1 ? String(to) : undefined })
  return {
    previous: number > 1 ? href(number - 1) : undefined,
    next: number * size < total ? href(number + 1) : undefined,
  }
}

/**
 * A notice that the app is blocked, or that the app policy changes the effect of an approval. Renders nothing
 * in all other cases.
 */
function PolicyNotice({ app: { appPolicy, decision } }: { app: InstalledApp }) {
  if (decision?.decision === 'BLOCKED') {
    return <Alert title="This app is blocked.">Approving the app unblocks it.</Alert>
  }
  if (appPolicy === 'OPEN') {
    return (
      <Alert title="This app no longer needs approval.">
        The policy allows any app, so members can authorize it now.
      </Alert>
    )
  }
  if (appPolicy === 'OWN') {
    return (
      <Alert tone="warning" title="The policy allows only this workspace’s apps.">
        Even if you approve this app, it has no access until the policy allows approved apps.
      </Alert>
    )
  }
  return null
}
