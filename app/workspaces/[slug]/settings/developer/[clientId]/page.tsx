import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { AppForm } from '@/components/apps/app-form'
import { DeleteAppSection } from '@/components/apps/delete-app-section'
import { FailuresSection } from '@/components/apps/failures-section'
import { InstallationSettings } from '@/components/apps/installation-settings'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { SecretsSection } from '@/components/apps/secrets-section'
import { UsageSection } from '@/components/apps/usage-section'
import { PageHeader } from '@/components/frame/page-header'
import { PictureForm } from '@/components/pictures/picture-form'
import { Badge } from '@/components/ui/badge'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { editableApp } from '@/lib/features/apps/editable-app'
import { listFailures } from '@/lib/features/apps/failures/list-failures'
import { getApp } from '@/lib/features/apps/get-app'
import { readUsage } from '@/lib/features/apps/usage/read-usage'
import * as actions from '../actions'

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

async function openApp(params: Props['params']) {
  const { slug, clientId } = await params
  const opened = await openWorkspace(slug, `/settings/developer/${clientId}`, 'workspace:manage-apps')
  const app = await orNotFound(getApp(opened.actor, clientId))
  if (app.workspaceId !== opened.workspace.id) notFound()
  return { app, actor: opened.actor, developerHref: `${opened.home}/settings/developer` }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openApp(params)).app.name }
}

export default async function AppPage({ params, searchParams }: Props) {
  const { app, actor, developerHref } = await openApp(params)
  const [failures, usage] = await Promise.all([listFailures(actor, app.id), readUsage(actor, app.id)])
  const people = app.people === 1 ? '1 person has' : `${app.people} people have`
  const keyed = hasKey(app)
  return (
    <>
      <PageHeader
        title={app.name}
        trail={[{ label: 'Developer', href: developerHref }]}
        badge={<Badge>{app.type === 'WEB' ? 'Web' : 'Native'}</Badge>}
        description={`${people} authorized this app.`}
      />
      <Stack>
        <AppForm app={editableApp(app)} action={actions.updateAppAction} />
        <PictureForm
          title="Logo"
          description="Shown where the app asks people for something, and in the list of what they authorized."
          label="New logo"
          owner={app.name}
          src={app.logoUrl}
          shape="square"
          action={`${developerHref}/${app.id}/logo`}
          refused={await pictureRefusal((await searchParams).error)}
        />
        {app.type === 'WEB' && !keyed && (
          <SecretsSection
            clientId={app.id}
            secrets={app.secrets}
            add={actions.addSecretAction}
            revoke={actions.revokeSecretAction}
          />
        )}
        <InstallationSettings app={app} action={actions.setInstallScopesAction} />
        <UsageSection days={usage} />
        {!keyed && <QuickstartSection app={app} />}
        <FailuresSection failures={failures} />
        <DeleteAppSection app={app} people={people} back={developerHref} action={actions.deleteAppAction} />
      </Stack>
    </>
  )
}
