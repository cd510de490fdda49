import type { Metadata } from 'next'
import { AskCard } from '@/components/asks/ask-card'
import { PageHeader } from '@/components/frame/page-header'
import { signInPath } from '@/lib/base/http/safe-next'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { readAsk } from '@/lib/features/asks/read-ask'
import { isFresh } from '@/lib/features/identity/two-factor/require-password'
import { Console } from '../../console'
import { decideAskAction } from './actions'

export const metadata: Metadata = { title: 'An app asks first' }

/** What an app asks its person before it does it. It opens for that person alone: others are told that there is nothing. */
export default async function AskPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const path = `/asks/${encodeURIComponent(id)}`
  const { actor, authTime } = await requireSession(path)
  const ask = await orNotFound(readAsk(actor, id))
  return (
    <Console>
      <PageHeader
        title="An app asks first"
        description="Nothing has been done yet. It waits for your answer."
      />
      <AskCard
        ask={ask}
        signInHref={isFresh(authTime) ? undefined : signInPath(path)}
        action={decideAskAction}
      />
    </Console>
  )
}
