import type { Metadata } from 'next'
import { AppForm } from '@/components/apps/app-form'
import { AppWebhooksSection } from '@/components/apps/app-webhooks-section'
import { DomainSection } from '@/components/apps/domain-section'
import { InstallationSettings } from '@/components/apps/installation-settings'
import { StageSection } from '@/components/apps/stage-section'
import { PictureForm } from '@/components/pictures/picture-form'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { readDomain } from '@/lib/features/apps/app-domain'
import { editableApp } from '@/lib/features/apps/editable-app'
import { previewDevelopment } from '@/lib/features/apps/people/outsiders'
import { listWebhookStates } from '@/lib/features/webhooks/list-webhook-states'
import * as actions from '../actions'
import { openApp } from '../open-app'

export const metadata: Metadata = { title: 'Settings' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppSettingsPage({ params, searchParams }: Props) {
  const { app, actor, workspace, home, address } = await openApp(params)
  return (
    <Stack>
      <AppForm app={editableApp(app)} action={actions.updateAppAction} />
      <PictureForm
        title="Logo"
        description="Shown where the app asks people for something, and in the list of what they authorized."
        label="New logo"
        owner={app.name}
        src={app.logoUrl}
        shape="square"
        action={`${address}/logo`}
        refused={await pictureRefusal((await searchParams).error)}
      />
      <DomainSection
        clientId={app.id}
        domain={await readDomain(app.id)}
        actions={{
          claim: actions.claimDomainAction,
          verify: actions.verifyDomainAction,
          remove: actions.removeDomainAction,
        }}
      />
      <StageSection
        app={app}
        outside={await previewDevelopment(actor, app.id)}
        action={actions.setStageAction}
      />
      <AppWebhooksSection
        clientId={app.id}
        webhooks={await listWebhookStates(actor, workspace.id, app.id)}
        pagesHref={`${home}/settings/webhooks`}
      />
      <InstallationSettings app={app} action={actions.setInstallScopesAction} />
    </Stack>
  )
}
