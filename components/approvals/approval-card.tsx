import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { ResourceFacts } from '@/lib/features/approvals/describe-resource'
import type { FactorApprovalView } from '@/lib/features/approvals/factor-approvals'
import type { ApprovalView } from '@/lib/features/approvals/read-approval'
import { Alert } from '../ui/alert'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Card } from '../ui/card'
import { cn } from '../ui/cn'
import { TextLink } from '../ui/link'
import { Time } from '../ui/time'
import { ApprovalForm } from './approval-form'

/** Shows a labeled fact about a request. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:grid-cols-[128px_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Shows a secondary detail below a fact, such as an ID. */
const Muted = ({ mono = false, children }: { mono?: boolean; children: ReactNode }) => (
  <span className={cn('block text-[13px] text-muted', mono && 'font-mono')}>{children}</span>
)

/**
 * Shows an app's request: the operation, its arguments, the resource as stored on the server, and the outcome
 * or the form to decide. The app can choose misleading names, so the card also shows IDs, dates, and who
 * renamed the resource.
 */
export function ApprovalCard({
  request,
  signInHref,
  action,
}: {
  request: ApprovalView
  /** The URL to sign in again before approving; undefined if the sign-in is recent. */
  signInHref?: string | undefined
  action: FormAction
}) {
  const { app, does, resource, resourceId, workspace, tool, requestedAt, state, hourly } = request
  return (
    <Card className="grid max-w-2xl gap-6 p-5 sm:p-6">
      <h2 className="font-semibold text-[17px]">{does}</h2>
      <dl className="grid gap-3 text-sm">
        {resource ? (
          <Resource resource={resource} />
        ) : (
          <Fact name="Resource">
            {workspace ? 'No longer exists in this workspace' : 'Your account'}{' '}
            <Muted mono>{resourceId}</Muted>
          </Fact>
        )}
        {request.arguments
          .filter(({ value, detail }) => value !== resourceId && detail !== resourceId)
          .map(({ label, value, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and its labels can repeat
            <Fact key={index} name={label}>
              <bdi className="whitespace-pre-wrap">{value}</bdi>
              {detail && <Muted mono>{detail}</Muted>}
            </Fact>
          ))}
        {workspace && resource?.type !== 'workspace' && (
          <Fact name="In workspace">
            <bdi>{workspace.name}</bdi> <Muted mono>{workspace.id}</Muted>
          </Fact>
        )}
        <Fact name="Requested by">
          <span className="flex items-start gap-3">
            <AppLogo app={app} />
            <span>
              <bdi className="font-medium">{app.name}</bdi>{' '}
              {app.verified && <Badge tone="success">Verified</Badge>}
              <span className={app.publisher ? 'block text-muted' : 'block text-warning'}>
                {app.publisher ? `by ${app.publisher}` : 'Self-registered, not verified'}
              </span>
              <Muted mono>{app.id}</Muted>
            </span>
          </span>
        </Fact>
        <Fact name="Requested">
          <Time at={requestedAt} />
          <Muted>
            {tool ? 'with the tool ' : 'as '}
            <span className="font-mono">{tool ?? request.operation}</span>
          </Muted>
        </Fact>
      </dl>
      {state === 'open' && request.irreversible && <Alert tone="warning" title="This can’t be undone." />}
      {state === 'open' || state === 'approved-once' || state === 'approved' ? null : (
        <Alert tone={state === 'used' ? 'success' : 'warning'} title={outcomes[state]} />
      )}
      {(state === 'approved-once' || state === 'approved') && (
        <Alert tone="success" title={outcomes[state]}>
          The approval ends early if you sign out.
        </Alert>
      )}
      {(state === 'open' || state === 'approved-once' || state === 'approved') && (
        <ApprovalForm
          id={request.id}
          approved={state !== 'open'}
          signInHref={signInHref}
          action={action}
          hourly={hourly}
          note={
            hourly
              ? `Approve only if you asked ${app.name} to do this. An approval for an hour applies only to this app and this environment.`
              : `Approve only if you asked ${app.name} to do this. The approval can be used only once, for exactly this action.`
          }
        />
      )}
    </Card>
  )
}

function Resource({ resource }: { resource: ResourceFacts }) {
  const { type, id, name, within, href, createdAt, contains, lastActivityAt, variables, renames } = resource
  return (
    <>
      <Fact name={kinds[type] ?? 'Resource'}>
        <bdi className="font-medium">{href ? <TextLink href={href}>{name}</TextLink> : name}</bdi>
        {within && <span className="text-muted"> in {within}</span>}
        <Muted mono>{id}</Muted>
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Contains">
        <ul>
          {contains.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        {variables && variables.length > 0 && <Muted mono>{variables.join(', ')}</Muted>}
      </Fact>
      <Fact name="Last activity">{lastActivityAt ? <Time at={lastActivityAt} /> : 'None recorded'}</Fact>
      {renames.length > 0 && (
        <Fact name="Renamed">
          <ul className="grid gap-1">
            {renames.map(({ from, to, at, by }) => (
              <li key={at.toISOString()} className="text-warning">
                from <bdi className="font-medium">{from}</bdi> to <bdi className="font-medium">{to}</bdi> by{' '}
                {by}, <Time at={at} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </>
  )
}

const kinds: Record<string, ReactNode & string> = {
  project: 'Project',
  environment: 'Environment',
  workspace: 'Workspace',
  oauth_app: 'OAuth app',
  webhook: 'Webhook',
}

const outcomes: Record<Exclude<ApprovalView['state'], 'open'>, string> = {
  'approved-once': 'You approved this action once. The app can now send the request again.',
  approved: 'You approved this action for an hour.',
  denied: 'You denied this request. Nothing was changed.',
  used: 'You approved this action, and the app has used the approval.',
  over: 'This request has expired.',
}

/**
 * Shows an API token's request to change two-factor authentication: the token, the change, its consequence,
 * and the outcome or the form to decide.
 */
export function FactorApprovalCard({
  request,
  signInHref,
  hasPassword,
  action,
}: {
  request: FactorApprovalView
  /** The URL to sign in again before approving; undefined if the current sign-in is sufficient. */
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
          Approve only if you are doing this yourself right now. Otherwise, deny the request and revoke the
          token {revoke}
        </Alert>
      ) : (
        <Alert
          tone={state === 'denied' || state === 'over' ? 'warning' : 'success'}
          title={factorOutcomes[state]}
        >
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

/**
 * Shows when a passkey or token was created and last used. The dates help users tell passkeys or tokens with
 * similar names apart.
 */
function Ages({ word, createdAt, lastUsedAt }: { word: string; createdAt: Date; lastUsedAt: Date | null }) {
  return (
    <span className="block text-[13px] text-muted">
      {word} <Time at={createdAt} />,{' '}
      {lastUsedAt ? (
        <>
          last used <Time at={lastUsedAt} />
        </>
      ) : (
        'never used'
      )}
    </span>
  )
}

const revoke = (
  <>
    under <TextLink href="/account/tokens">Tokens</TextLink>, because someone else might have it.
  </>
)

const factorOutcomes: Record<Exclude<FactorApprovalView['state'], 'open'>, string> = {
  'approved-once':
    'You approved this change once. The request can be sent again with the token within ten minutes.',
  denied: 'You denied this request. Nothing was changed.',
  used: 'You approved this change, and the approval has been used.',
  over: 'This request has expired.',
}
