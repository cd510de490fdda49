import type { Metadata } from 'next'
import { usageRangeOf } from '@/app/workspaces/usage-range'
import { AppState } from '@/components/apps/app-state'
import { EndpointsSection } from '@/components/apps/endpoints-section'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { UsageSection } from '@/components/apps/usage-section'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/get-app'
import { readAppUsage } from '@/lib/features/apps/usage/read-usage-over'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Overview' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppOverviewPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/overview')
  const range = usageRangeOf(await searchParams)
  const keyed = hasKey(app)
  return (
    <Stack>
      <AppState
        app={app}
        lacksSecret={app.type === 'WEB' && !keyed && !app.secrets.some(isLive)}
        address={address}
      />
      <UsageSection
        slots={await readAppUsage(actor, app.id, range)}
        range={range}
        path={`${address}/overview`}
      />
      <EndpointsSection />
      {!keyed && <QuickstartSection app={app} />}
    </Stack>
  )
}
