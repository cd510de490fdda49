import type { Metadata } from 'next'
import { cache } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { AppDecisions, AppFacts } from '@/components/app-access/app-facts'
import { ApprovalForm } from '@/components/app-access/approval-form'
import { InstallationSection } from '@/components/app-access/installation-section'
import { PageHeader } from '@/components/frame/page-header'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { boundedScopes } from '@/lib/features/app-access/input'
import { readInstalled } from '@/lib/features/app-access/list-installed'
import * as decisions from '../actions'
import { AppUsers } from './app-users'
import { SsoManagedUsers } from './sso-managed-users'

const actions = {
  block: decisions.blockAppAction,
  withdraw: decisions.withdrawDecisionAction,
  revoke: decisions.revokeForEverybodyAction,
}

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

/** Read once per request, for the title and for the page. */
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
  const { actor, workspace, home, path, clientId, app, projects, asked } = await openInstalled(params)
  const shown = { actor, workspaceId: workspace.id, query: await searchParams }
  const place = { id: workspace.id, clientId }
  const approval = app.decision?.decision === 'APPROVED' ? app.decision : undefined
  return (
    <>
      <PageHeader title={app.name} trail={[{ label: 'Apps', href: `${home}/settings/apps` }]} />
      <Stack>
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
        <SsoManagedUsers {...shown} app={app} home={home} />
        {app.runBy?.id !== workspace.id && (
          <ApprovalForm
            place={place}
            offered={boundedScopes}
            scopes={asked.length > 0 ? asked : (approval?.scopes ?? app.scopes)}
            projects={projects}
            chosen={approval?.projectIds ?? null}
            endsOn={approval?.expiresAt?.toISOString().slice(0, 10)}
            note={approval?.word ?? undefined}
            approved={approval !== undefined}
            action={decisions.approveAppAction}
          />
        )}
        <AppUsers {...shown} clientId={clientId} path={path} />
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
