'use client'
import { type ReactNode, useId } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { type Role, scopeTable } from '@/lib/policy/scopes'
import { ConfirmAction, useAnnouncedAction } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { WithoutScript } from '../forms/without-script'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { cn } from '../ui/cn'
import { TextField } from '../ui/field'
import { counted } from '../ui/formats'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'
import { ApprovalLimits, type Limits } from './approval-limits'
import { adminSentence } from './scope-sentences'

/** A user who requested the app. */
export type Requester = {
  userId: string
  user: string
  email: string
  avatarUrl: string | null
  role: Role | null
  reason: string
  createdAt: Date
}

/** The maximum number of users who are always visible. Further users are collapsed. */
const shown = 3

/**
 * Shows the requests for one app, the requested access, and the buttons that approve or decline all requests.
 */
export function ReviewRequest({
  name,
  place,
  requests,
  total,
  limits,
  notice,
  approve,
  decline,
}: {
  /** The name of the app. */
  name: string
  /** Hidden inputs that identify the app and the workspace. */
  place: Record<string, string>
  requests: readonly Requester[]
  /** The number of users who requested the app. */
  total: number
  limits: Limits
  /** A notice about other rules that affect the app, such as the app policy. */
  notice: ReactNode
  approve: FormAction
  decline: FormAction
}) {
  const [state, submit] = useAnnouncedAction(approve, { done: 'App approved' })
  const title = useId()
  const wrong = Object.keys(state.fields).length > 0
  const [first, folded] = [requests.slice(0, shown), requests.slice(shown)]
  const all = `${total.toLocaleString('en')} requests`
  return (
    <section
      aria-labelledby={title}
      className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2 overflow-clip rounded-card border bg-surface max-sm:grid-cols-2"
    >
      <h2
        id={title}
        className="py-3 pl-4 font-semibold text-[15px] leading-[22px] max-sm:col-span-full max-sm:pr-4"
      >
        {total === 1 ? 'Approval request' : all}
      </h2>
      <div className="max-sm:pl-4 max-sm:[&_button]:w-full">
        <ConfirmAction
          trigger="Decline"
          title={total === 1 ? `Decline ${name}?` : `Decline ${all} for ${name}?`}
          confirmLabel={total === 1 ? 'Decline request' : `Decline ${all}`}
          done={total === 1 ? 'Request declined' : 'Requests declined'}
          action={decline}
          fields={place}
        >
          <p>
            {total === 1
              ? `${requests[0]?.user} will be notified.`
              : `The ${counted(total, 'user', 'users')} who requested it will be notified.`}{' '}
            They can request the app again.
          </p>
          <TextField
            label={total === 1 ? 'Message' : 'Message to them'}
            name="word"
            optional
            maxLength={500}
          />
        </ConfirmAction>
      </div>
      <form action={submit} className="contents">
        <HiddenFields fields={place} />
        <div className="pr-4 max-sm:[&_button]:w-full">
          <SubmitButton>Approve</SubmitButton>
        </div>
        <div className="col-span-full grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 border-t p-4 max-sm:mt-3">
          <FormOutcome state={state} />
          {state.result && <WithoutScript tone="success" message="App approved" />}
          {notice}
          <Requesters label="Requested by" users={first} />
          {folded.length > 0 && (
            <details className="-mt-2">
              <summary className="w-fit cursor-pointer rounded-[3px] text-[13px] text-link">
                {counted(total - first.length, 'more user', 'more users')}
              </summary>
              <div className="grid gap-3 pt-3">
                <Requesters label="More users" users={folded} />
                {total > requests.length && (
                  <p className="text-[13px] text-muted">
                    And {counted(total - requests.length, 'other user', 'other users')}.
                  </p>
                )}
              </div>
            </details>
          )}
        </div>
        <div className="col-span-full grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 border-t p-4">
          <h3 className="font-medium text-sm">Requested access</h3>
          <RequestedScopes scopes={limits.scopes} />
          <p className="text-[13px] text-muted">
            {limits.chosen === null
              ? 'Applies to the whole workspace, unless you change it below.'
              : `Applies to the ${counted(limits.chosen.length, 'project', 'projects')} approved earlier, unless you change it below.`}{' '}
            The app never gets more access than the user’s own role allows.
          </p>
        </div>
        <details open={wrong} className="group col-span-full border-t">
          <summary className="cursor-pointer px-4 py-3 font-medium text-sm hover:bg-hover focus-visible:-outline-offset-2">
            Change what it can do
          </summary>
          <div className="grid max-w-2xl gap-5 px-4 pt-2 pb-5">
            <ApprovalLimits limits={limits} state={state} />
          </div>
        </details>
      </form>
    </section>
  )
}

const roles = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

function Requesters({ label, users }: { label: string; users: readonly Requester[] }) {
  return (
    <ul aria-label={label} className="grid gap-4">
      {users.map(({ userId, user, email, avatarUrl, role, reason, createdAt }) => (
        <li key={userId} className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-3">
          <Avatar name={user} id={userId} src={avatarUrl} />
          <div className="grid min-w-0 gap-1">
            <div className="grid">
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <bdi className="wrap-anywhere min-w-0 font-medium">{user}</bdi>
                <Time at={createdAt} className="text-[13px] text-muted" />
              </span>
              <span className="truncate text-[13px] text-muted" title={email}>
                {role ? roles[role] : 'External'} · {email}
              </span>
            </div>
            {reason ? (
              <blockquote className="wrap-anywhere max-w-[68ch] whitespace-pre-line border-l-2 pl-3">
                <bdi>{reason}</bdi>
              </blockquote>
            ) : (
              <p className="text-[13px] text-muted">No reason given.</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Lists scopes as sentences for admins, in the order of `scopeTable`. */
function RequestedScopes({ scopes }: { scopes: readonly string[] }) {
  const ordered = Object.entries(scopeTable).filter(([scope]) => scopes.includes(scope))
  return (
    <ul className="grid gap-2">
      {ordered.map(([scope, { dangerous }]) => (
        <li key={scope} className="flex items-start gap-2.5">
          <span
            aria-hidden
            className={cn('mt-[7px] size-1.5 shrink-0 rounded-full', dangerous ? 'bg-danger' : 'bg-control')}
          />
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
            <span>{adminSentence(scope)}</span>
            {dangerous && <Badge tone="danger">Full control</Badge>}
            <code className="font-mono text-[12px] text-muted">{scope}</code>
          </span>
        </li>
      ))}
    </ul>
  )
}
