import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { AskView } from '@/lib/features/asks/read-ask'
import { Alert } from '../ui/alert'
import { AppLogo } from '../ui/app-logo'
import { Badge } from '../ui/badge'
import { Card } from '../ui/card'
import { Time } from '../ui/time'
import { AskDecision } from './ask-decision'
import { Fact } from './fact'

/** Which app wants to do what to which thing, and the answer. */
export function AskCard({
  ask,
  signInHref,
  action,
}: {
  ask: AskView
  /** Where to sign in again before it can be approved; none where the sign-in is fresh. */
  signInHref?: string | undefined
  action: FormAction
}) {
  const { app, wants, thing, workspace, tool, askedAt, state } = ask
  return (
    <Card className="grid max-w-xl gap-6 p-5 sm:p-6">
      <div className="flex items-start gap-3">
        <AppLogo app={app} />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <bdi className="wrap-anywhere">{app.name}</bdi>{' '}
            {app.verified && <Badge tone="success">Verified</Badge>}
          </p>
          <p className={app.publisher ? 'text-[13px] text-muted' : 'text-[13px] text-warning'}>
            {app.publisher ? `by ${app.publisher}` : 'Registered itself, not verified'}
          </p>
        </div>
      </div>
      <dl className="grid gap-3 text-sm">
        <Fact name="Wants to">{wants}</Fact>
        <Fact name={thing ? (kinds[thing.type] ?? 'Thing') : 'Thing'}>
          {thing ? (
            <>
              <bdi className="font-medium">{thing.name}</bdi>
              {thing.within && <span className="text-muted"> in {thing.within}</span>}
            </>
          ) : (
            'It is gone'
          )}
        </Fact>
        {thing?.type !== 'workspace' && (
          <Fact name="Workspace">
            <bdi>{workspace}</bdi>
          </Fact>
        )}
        <Fact name="Asked">
          <Time at={askedAt} />
          {tool && (
            <span className="text-muted">
              {' '}
              by its tool <span className="font-mono text-[13px]">{tool}</span>
            </span>
          )}
        </Fact>
      </dl>
      {state === 'open' ? (
        <AskDecision id={ask.id} app={app.name} signInHref={signInHref} action={action} />
      ) : (
        <Alert
          tone={state === 'denied' || state === 'over' ? 'warning' : 'success'}
          title={outcomes[state]}
        />
      )}
    </Card>
  )
}

const kinds: Record<string, string> = {
  project: 'Project',
  environment: 'Environment',
  workspace: 'Workspace',
  oauth_app: 'OAuth app',
  webhook: 'Webhook',
}

const outcomes: Record<Exclude<AskView['state'], 'open'>, string> = {
  'approved-once': 'You approved it once. The app can try again now.',
  approved: 'You approved it for an hour. The app can try again now.',
  denied: 'You denied it. Nothing was done.',
  used: 'You approved it, and the app has used that. Next time it asks again.',
  over: 'It expired. If the app still wants this, it asks again.',
}
