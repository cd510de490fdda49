import type { Metadata } from 'next'
import { AppState } from '@/components/apps/app-state'
import { EndpointsSection } from '@/components/apps/endpoints-section'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { UsageSection } from '@/components/apps/usage-section'
import { Stack } from '@/components/ui/stack'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/get-app'
import { readUsage } from '@/lib/features/apps/usage/read-usage'
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
      <EndpointsSection />
      {!keyed && <QuickstartSection app={app} />}
    </Stack>
  )
}
