import type { Metadata } from 'next'
import { cache } from 'react'
import { AppBadges } from '@/components/apps/app-facts'
import { PageHeader } from '@/components/frame/page-header'
import { AppDecision } from '@/components/instance-admin/app-decision'
import { AppAccess, AppHistory, OperatedAppFacts, WaitingApp } from '@/components/instance-admin/operated-app'
import { Stack } from '@/components/ui/stack'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getOperatedApp } from '@/lib/features/instance-admin/get-app'
import { openInstanceAdmin } from '../../open-instance-admin'
import * as actions from '../actions'

type Props = { params: Promise<{ id: string }> }

/** Returns the app. Reads the app once per request for both the title and the content of the page. */
const readOperatedApp = cache(getOperatedApp)

async function openOperatedApp(params: Props['params']) {
  const id = decodeURIComponent((await params).id)
  const { actor } = await openInstanceAdmin(`/admin/apps/${encodeURIComponent(id)}`)
  return orNotFound(readOperatedApp(actor, id))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openOperatedApp(params)).name }
}

export default async function OperatedAppPage({ params }: Props) {
  const app = await openOperatedApp(params)
  return (
    <>
      <PageHeader
        title={app.name}
        trail={[{ label: 'Apps', href: '/admin/apps' }]}
        badge={<AppBadges app={app} />}
      />
      <Stack>
        <WaitingApp app={app} approve={actions.approveAppAction} />
        <OperatedAppFacts app={app} />
        {app.workspace && (
          <AppDecision
            app={{ id: app.id, version: app.version, verified: app.verifiedAt !== null }}
            action={actions.decideVerificationAction}
          />
        )}
        <AppHistory app={app.name} events={app.events} />
        <AppAccess app={app} disable={actions.disableAppAction} enable={actions.enableAppAction} />
      </Stack>
    </>
  )
}
