import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { FactorApprovalView } from '@/lib/features/approvals/factor-approvals'
import { Alert } from '../ui/alert'
import { Card } from '../ui/card'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { ApprovalForm } from './approval-form'
import { Fact } from './fact'

/** The request of an API token to change two-factor authentication: the change, its consequence, and the decision. */
export function FactorApprovalCard({
  request,
  signInHref,
  hasPassword,
  action,
}: {
  request: FactorApprovalView
  /** Where to sign in again before approving; undefined if the sign-in is enough. */
  signInHref?: string | undefined
  hasPassword: boolean
  action: FormAction
}) {
  const { token, wants, means, passkey, wanted, askedAt, ip, state } = request
  return (
    <Card className="grid max-w-xl gap-6 p-5 sm:p-6">
      <dl className="grid gap-3 text-sm">
        <Fact name="API token">
          <bdi className="font-medium">{token.name}</bdi>{' '}
          <span className="whitespace-nowrap font-mono text-[13px] text-muted">{token.display}</span>
          <Ages word="Created" {...token} />
        </Fact>
        <Fact name="Change">{wants}</Fact>
        {passkey !== undefined && (
          <Fact name="Passkey">
            {passkey ? (
              <>
                <bdi className="font-medium">{passkey.name}</bdi>
                <Ages word="Added" {...passkey} />
              </>
            ) : (
              'No longer exists'
            )}
          </Fact>
        )}
        {wanted && (
          <Fact name="New name">
            <bdi className="font-medium">{wanted}</bdi>
          </Fact>
        )}
        <Fact name="Requested">
          <Time at={askedAt} />
          {ip && (
            <span className="text-muted">
              {' '}
              from <span className="font-mono text-[13px]">{ip}</span>
            </span>
          )}
        </Fact>
      </dl>
      {state === 'open' ? (
        <Alert tone="warning" title={means}>
          Approve only if you are doing this yourself right now. Otherwise, decline and revoke the token{' '}
          {revoke}
        </Alert>
      ) : (
        <Alert tone={state === 'denied' || state === 'over' ? 'warning' : 'success'} title={outcomes[state]}>
          {state === 'approved-once' && <>If this wasn’t you, revoke the approval and the token {revoke}</>}
        </Alert>
      )}
      {(state === 'open' || state === 'approved-once') && (
        <ApprovalForm
          id={request.id}
          approved={state === 'approved-once'}
          signInHref={signInHref}
          takesPassword={hasPassword}
          action={action}
        />
      )}
    </Card>
  )
}

/** When something was created and last used, because names can be alike. */
function Ages({ word, createdAt, lastUsedAt }: { word: string; createdAt: Date; lastUsedAt: Date | null }) {
  return (
    <span className="block text-[13px] text-muted">
      {word} <Time at={createdAt} />,{' '}
      {lastUsedAt ? (
        <>
          last used <Time at={lastUsedAt} />
        </>
      ) : (
        'not used before'
      )}
    </span>
  )
}

const revoke = (
  <>
    under <TextLink href="/account/tokens">Tokens</TextLink>: someone else might have it.
  </>
)

const outcomes: Record<Exclude<FactorApprovalView['state'], 'open'>, string> = {
  'approved-once': 'You approved this once. The token can send the request again within ten minutes.',
  denied: 'You declined this request. Nothing was done.',
  used: 'You approved this, and the token has used the approval.',
  over: 'This request has expired.',
}
