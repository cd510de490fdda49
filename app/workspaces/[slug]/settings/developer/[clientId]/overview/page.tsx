import type { Metadata } from 'next'
import { AppState } from '@/components/apps/app-state'
import { EndpointsSection } from '@/components/apps/endpoints-section'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { TrySignInSection } from '@/components/apps/try-sign-in-section'
import { UsageSection } from '@/components/apps/usage-section'
import { Stack } from '@/components/ui/stack'
import { untriable } from '@/lib/edges/oauth/try-sign-in/require-triable'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/get-app'
import { readUsage } from '@/lib/features/apps/usage/read-usage'
import { askable } from '@/lib/policy/scopes'
import { tryAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Overview' }

export default async function AppOverviewPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, actor, address } = await openApp(params, '/overview')
  const keyed = hasKey(app)
  return (
    <Stack>
      <AppState
        app={app}
        lacksSecret={app.type === 'WEB' && !keyed && !app.secrets.some(isLive)}
        address={address}
      />
      <UsageSection days={await readUsage(actor, app.id)} />
      <TrySignInSection
        clientId={app.id}
        scope={askable(['openid', 'profile', 'email'], app.allowedScopes).join(' ')}
        untriable={untriable(app)}
        action={tryAction}
      />
      <EndpointsSection />
      {!keyed && <QuickstartSection app={app} />}
    </Stack>
  )
}
