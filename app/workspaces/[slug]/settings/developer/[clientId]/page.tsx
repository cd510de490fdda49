import type { Metadata } from 'next'
import { AppForm } from '@/components/apps/app-form'
import {
  AppLogos,
  AppWebhooksSection,
  InstallationSettings,
  StageSection,
} from '@/components/apps/app-settings'
import { DomainSection } from '@/components/apps/domain-section'
import { Boxes } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { previewDevelopment } from '@/lib/features/apps/activity/revoke-users'
import { readDomain } from '@/lib/features/apps/app-domain'
import { editableApp } from '@/lib/features/apps/update-app'
import { selectableApis } from '@/lib/features/resources/apis'
import { listWebhookStates } from '@/lib/features/webhooks/list-webhooks'
import * as actions from '../actions'
import { openApp } from '../open-app'

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

/** Returns the whole title, because the layout's title template applies only to subpages. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: { absolute: `Settings · ${(await openApp(params)).app.name}` } }
}

export default async function AppSettingsPage({ params, searchParams }: Props) {
  const { app, actor, workspace, home, address } = await openApp(params)
  return (
    <Boxes>
      <AppForm app={editableApp(app)} apis={await selectableApis()} action={actions.updateAppAction} />
      <AppLogos app={app} action={`${address}/logo`} error={(await searchParams).error} />
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
        webhooks={await listWebhookStates(actor, workspace.id, { clientId: app.id })}
        pagesHref={`${home}/settings/webhooks`}
      />
      <InstallationSettings app={app} action={actions.setInstallScopesAction} />
    </Boxes>
  )
}
