import type { Metadata } from 'next'
import { AppForm } from '@/components/apps/app-form'
import { DomainSection } from '@/components/apps/domain-section'
import { InstallationSettings } from '@/components/apps/installation-settings'
import { PictureForm } from '@/components/pictures/picture-form'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { readDomain } from '@/lib/features/apps/app-domain'
import { editableApp } from '@/lib/features/apps/editable-app'
import * as actions from '../actions'
import { openApp } from '../open-app'

export const metadata: Metadata = { title: 'Settings' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppSettingsPage({ params, searchParams }: Props) {
  const { app, address } = await openApp(params)
  return (
    <Stack>
      <AppForm app={editableApp(app)} action={actions.updateAppAction} />
      <PictureForm
        title="Logo"
        description="Shown on the consent page and in people’s authorized apps."
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
      <InstallationSettings app={app} action={actions.setInstallScopesAction} />
    </Stack>
  )
}
