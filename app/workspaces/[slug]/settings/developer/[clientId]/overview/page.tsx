import type { Metadata } from 'next'
import { usageRangeOf } from '@/app/workspaces/usage-range'
import { AppState, EndpointsSection } from '@/components/apps/app-state'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { TrySignInSection } from '@/components/apps/try-sign-in-section'
import { UsageSection } from '@/components/apps/usage-section'
import { Stack } from '@/components/ui/stack'
import { whyUntestable } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { readAppUsage } from '@/lib/features/apps/activity/read-usage'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/read-apps'
import { requestableScopes } from '@/lib/policy/scopes'
import { tryAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Overview' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppOverviewPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/overview')
  const query = await searchParams
  const range = usageRangeOf(query)
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
        shown={textOf(query, 'show')}
        path={`${address}/overview`}
      />
      <TrySignInSection
        clientId={app.id}
        scope={requestableScopes(['openid', 'profile', 'email'], app.allowedScopes).join(' ')}
        whyUntestable={whyUntestable(app)}
        action={tryAction}
      />
      <EndpointsSection />
      {!keyed && <QuickstartSection app={app} />}
    </Stack>
  )
}
