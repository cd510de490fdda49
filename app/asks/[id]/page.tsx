import type { Metadata } from 'next'
import { AskCard } from '@/components/asks/ask-card'
import { FactorAskCard } from '@/components/asks/factor-ask-card'
import { PageHeader } from '@/components/frame/page-header'
import { signInPath } from '@/lib/base/http/safe-next'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { lacksSecondFactor } from '@/lib/features/asks/decide-factor-ask'
import { readAsk } from '@/lib/features/asks/read-ask'
import { readFactorAsk } from '@/lib/features/asks/read-factor-ask'
import { hasPassword } from '@/lib/features/identity/people/change-password'
import { isFresh } from '@/lib/features/identity/two-factor/require-password'
import { Console } from '../../console'
import { decideAskAction, decideFactorAskAction } from './actions'

const waits = 'Nothing has been done yet. It waits for your answer.'

export const metadata: Metadata = { title: 'Your approval' }

/** What an app or a token asks its person before it does it. It opens for that person alone: others are told that there is nothing. */
export default async function AskPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const path = `/asks/${encodeURIComponent(id)}`
  const { actor, authTime } = await requireSession(path)
  const fresh = isFresh(authTime)
  const ofToken = await readFactorAsk(actor, id)
  if (ofToken) {
    const enough = fresh && !(await lacksSecondFactor(actor))
    return (
      <Console>
        <PageHeader
          title="An API token wants to change how you sign in"
          description={ofToken.state === 'open' && waits}
        />
        <FactorAskCard
          ask={ofToken}
          signInHref={enough ? undefined : signInPath(path)}
          hasPassword={await hasPassword(actor)}
          action={decideFactorAskAction}
        />
      </Console>
    )
  }
  const ask = await orNotFound(readAsk(actor, id))
  return (
    <Console>
      <PageHeader title="An app asks first" description={ask.state === 'open' && waits} />
      <AskCard ask={ask} signInHref={fresh ? undefined : signInPath(path)} action={decideAskAction} />
    </Console>
  )
}
