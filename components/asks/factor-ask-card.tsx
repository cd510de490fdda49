import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { FactorAskView } from '@/lib/features/asks/read-factor-ask'
import { Alert } from '../ui/alert'
import { Card } from '../ui/card'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { Fact } from './fact'
import { FactorAskDecision } from './factor-ask-decision'

/** Which token wants to change what about how its person signs in, what comes of it, and the answer. */
export function FactorAskCard({
  ask,
  signInHref,
  hasPassword,
  action,
}: {
  ask: FactorAskView
  /** Where to sign in again before it can be approved; none where the sign-in is fresh. */
  signInHref?: string | undefined
  hasPassword: boolean
  action: FormAction
}) {
  const { token, wants, means, passkey, wanted, askedAt, ip, state } = ask
  return (
    <Card className="grid max-w-xl gap-6 p-5 sm:p-6">
      <dl className="grid gap-3 text-sm">
        <Fact name="API token">
          <bdi className="font-medium">{token.name}</bdi>{' '}
          <span className="whitespace-nowrap font-mono text-[13px] text-muted">{token.display}</span>
          <Ages word="Made" {...token} />
        </Fact>
        <Fact name="Wants to">{wants}</Fact>
        {passkey !== undefined && (
          <Fact name="Passkey">
            {passkey ? (
              <>
                <bdi className="font-medium">{passkey.name}</bdi>
                <Ages word="Added" {...passkey} />
              </>
            ) : (
              'It is gone'
            )}
          </Fact>
        )}
        {wanted && (
          <Fact name="New name">
            <bdi className="font-medium">{wanted}</bdi>
          </Fact>
        )}
        <Fact name="Asked">
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
          Approve it only if you are doing this yourself, right now. If not, deny it, and revoke the token{' '}
          {revoke}
        </Alert>
      ) : (
        <Alert tone={state === 'denied' || state === 'over' ? 'warning' : 'success'} title={outcomes[state]}>
          {state === 'approved-once' && (
            <>If it was not you who asked, deny it, and revoke the token {revoke}</>
          )}
        </Alert>
      )}
      {(state === 'open' || state === 'approved-once') && (
        <FactorAskDecision
          id={ask.id}
          approved={state === 'approved-once'}
          signInHref={signInHref}
          hasPassword={hasPassword}
          action={action}
        />
      )}
    </Card>
  )
}

/** Since when something is there, and when it was used last: names alone may be alike. */
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
    under <TextLink href="/account/tokens">Tokens</TextLink>: somebody else may have it.
  </>
)

const outcomes: Record<Exclude<FactorAskView['state'], 'open'>, string> = {
  'approved-once': 'You approved it once. The token can try again within ten minutes.',
  denied: 'You denied it. Nothing was done.',
  used: 'You approved it, and the token has used that. Next time it asks again.',
  over: 'It expired. If the token still wants this, it asks again.',
}
