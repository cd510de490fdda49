import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { usageRangeOf } from '@/app/workspaces/usage-range'
import { AppDetails, AppProblems, EndpointsSection } from '@/components/apps/app-facts'
import { QuickstartSection } from '@/components/apps/quickstart-section'
import { OtherScopes, TriedSignIn } from '@/components/apps/try-sign-in'
import { UsageSection } from '@/components/apps/usage-section'
import { openPending, testSignInCookieName } from '@/lib/edges/oauth/interaction/test-sign-in'
import { whyUntestable } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { readRefusals } from '@/lib/features/apps/activity/read-refusals'
import { readAppUsage } from '@/lib/features/apps/activity/read-usage'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { isLive } from '@/lib/features/apps/read-apps'
import { finishTestSignInAction } from '../../actions'
import { openApp, testSignInScope } from '../../open-app'

export const metadata: Metadata = { title: 'Overview' }

type Props = { params: Promise<{ slug: string; clientId: string }>; searchParams: Promise<SearchParams> }

export default async function AppOverviewPage({ params, searchParams }: Props) {
  const { app, actor, address } = await openApp(params, '/overview')
  const query = await searchParams
  const range = usageRangeOf(query)
  const [show, code] = [textOf(query, 'show'), textOf(query, 'code')]
  const path = `${address}/overview`
  const [slots, refusals, jar] = await Promise.all([
    readAppUsage(actor, app.id, range),
    readRefusals(actor, app.id),
    cookies(),
  ])
  const tried = openPending(jar.get(testSignInCookieName())?.value, actor.userId)
  const keyed = hasKey(app)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <TriedSignIn
        answered={textOf(query, 'tried') !== '' && tried?.clientId === app.id}
        action={finishTestSignInAction}
      />
      <AppProblems
        disabled={app.disabledAt !== null}
        lacksSecret={app.type === 'WEB' && !keyed && !app.secrets.some(isLive)}
        refusals={refusals}
        address={address}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-7 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <UsageSection slots={slots} range={range} shown={show} path={path} kept={{ code }} />
          <AppDetails app={app} address={address} />
          <OtherScopes address={address} scope={testSignInScope(app)} whyUntestable={whyUntestable(app)} />
        </div>
        {!keyed && <QuickstartSection app={app} way={code} path={path} kept={{ range, show }} />}
      </div>
      <EndpointsSection />
    </div>
  )
}
