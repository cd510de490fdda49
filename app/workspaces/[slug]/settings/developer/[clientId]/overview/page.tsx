import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { usageRangeOf } from '@/app/workspaces/usage-range'
import { AppState, EndpointsSection } from '@/components/apps/app-state'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { OtherScopes, TriedSignIn } from '@/components/apps/try-sign-in'
import { UsageSection } from '@/components/apps/usage-section'
import { Stack } from '@/components/ui/stack'
import { openPending, tryCookieName } from '@/lib/edges/oauth/interaction/test-sign-in'
import { whyUntestable } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { readAppUsage } from '@/lib/features/apps/activity/read-usage'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/read-apps'
import { finishTestSignInAction } from '../../actions'
import { openApp, triedScope } from '../../open-app'

export const metadata: Metadata = { title: 'Overview' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppOverviewPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/overview')
  const query = await searchParams
  const range = usageRangeOf(query)
  const tried = openPending((await cookies()).get(tryCookieName())?.value, actor.userId)
  const keyed = hasKey(app)
  return (
    <Stack>
      <TriedSignIn
        answered={textOf(query, 'tried') !== '' && tried?.clientId === app.id}
        action={finishTestSignInAction}
      />
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
      <OtherScopes address={address} scope={triedScope(app)} whyUntestable={whyUntestable(app)} />
      <EndpointsSection />
      {!keyed && <QuickstartSection app={app} />}
    </Stack>
  )
}
