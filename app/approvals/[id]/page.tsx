import type { Metadata } from 'next'
import { ApprovalCard, FactorApprovalCard } from '@/components/approvals/approval-card'
import { PageHeader } from '@/components/frame/page-header'
import { signInPath } from '@/lib/base/http/safe-next'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireSession } from '@/lib/edges/web/current-session'
import { lacksTwoFactor, readFactorApproval } from '@/lib/features/approvals/factor-approvals'
import { readApproval } from '@/lib/features/approvals/read-approval'
import { isFresh } from '@/lib/features/identity/two-factor/require-password'
import { hasPassword } from '@/lib/features/identity/users/password'
import { Console } from '../../console'
import { decideApprovalAction, decideFactorApprovalAction } from './actions'

const waits = 'Nothing has been changed yet.'

export const metadata: Metadata = { title: 'Approval request' }

/**
 * The page of an approval request from an app or an API token. Only the user who must decide can open it.
 * Other users get a 404.
 */
export default async function ApprovalPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const path = `/approvals/${encodeURIComponent(id)}`
  const { actor, authTime } = await requireSession(path)
  const fresh = isFresh(authTime)
  const ofToken = await readFactorApproval(actor, id)
  if (ofToken) {
    const enough = fresh && !(await lacksTwoFactor(actor))
    return (
      <Console>
        <PageHeader title="Approval request" description={ofToken.state === 'open' && waits} />
        <FactorApprovalCard
          request={ofToken}
          signInHref={enough ? undefined : signInPath(path)}
          hasPassword={await hasPassword(actor)}
          action={decideFactorApprovalAction}
        />
      </Console>
    )
  }
  const request = await orNotFound(readApproval(actor, id))
  return (
    <Console>
      <PageHeader title="Approval request" description={request.state === 'open' && waits} />
      <ApprovalCard
        request={request}
        signInHref={fresh ? undefined : signInPath(path)}
        action={decideApprovalAction}
      />
    </Console>
  )
}
