import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { StreamState } from '@/lib/features/audit-streams/read-stream'
import { figure } from '../apps/usage-section'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Alert } from '../ui/alert'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { FactList } from '../ui/fact-list'
import { Stack } from '../ui/stack'
import { Time } from '../ui/time'
import { SigningSecretSection } from '../webhooks/signing-secret-section'
import { NewStreamForm, StreamForm } from './stream-form'

type Actions = {
  create: FormAction<{ secret: string }>
  update: FormAction
  change: FormAction
  retry: FormAction
  rotate: FormAction<{ secret: string }>
  remove: FormAction
}

/**
 * Shows the status and the settings of an audit log stream or, if the audit log has no stream, the form to
 * start one.
 */
export function StreamSettings({
  place,
  stream,
  href,
  logHref,
  actions,
}: {
  /** The hidden field for the ID of the workspace; empty for the instance's audit log. */
  place: Record<string, string>
  stream: StreamState | undefined
  /** The URL of this page. */
  href: string
  /** The URL of the audit log. */
  logHref: string
  actions: Actions
}) {
  if (!stream) return <NewStreamForm {...{ place, href, logHref }} action={actions.create} />
  const { state, url, previousUntil } = stream
  return (
    <Stack>
      <StreamStatus place={place} stream={stream} retry={actions.retry} />
      <StreamForm place={place} url={url} action={actions.update} />
      <SigningSecretSection place={place} previousUntil={previousUntil} rotate={actions.rotate} />
      <StreamDanger
        place={place}
        resting={state === 'paused' || state === 'stopped'}
        logHref={logHref}
        change={actions.change}
        remove={actions.remove}
      />
    </Stack>
  )
}

const badges = {
  sending: <Badge tone="success">Sending</Badge>,
  failing: <Badge tone="warning">Failing</Badge>,
  paused: <Badge tone="warning">Paused</Badge>,
  stopped: <Badge tone="danger">Stopped</Badge>,
}

/**
 * Shows the state of a stream, the last delivery, the pending events, and the last error. While deliveries
 * fail, a button retries immediately.
 */
function StreamStatus({
  place,
  stream,
  retry,
}: {
  place: Record<string, string>
  stream: StreamState
  retry: FormAction
}) {
  const { state, lastSuccessAt, lastError, failures, failingSince, nextAt, waiting, more, oldest } = stream
  return (
    <Section
      title="Status"
      description="Events are sent in the order they were recorded. Failed deliveries are retried at least once an hour. After three days without a successful delivery, the stream stops and admins get an email."
      action={
        state === 'failing' && (
          <ActionButton action={retry} fields={place} done="Trying again">
            Try again now
          </ActionButton>
        )
      }
    >
      {lastError && failingSince && (
        <Alert tone={state === 'stopped' ? 'danger' : 'warning'} title={lastError}>
          {failures === 1 ? 'The last attempt' : `The last ${figure(failures)} attempts`} failed. The first
          failure was <Time at={failingSince} />.
          {state === 'failing' && (
            <>
              {' '}
              The next attempt is due <Time at={nextAt} />.
            </>
          )}
          {state === 'stopped' && ' No events are sent until you resume the stream.'}
        </Alert>
      )}
      <FactList
        facts={[
          { label: 'Status', value: badges[state] },
          { label: 'Last delivered', value: lastSuccessAt ? <Time at={lastSuccessAt} /> : 'Nothing yet' },
          { label: 'Waiting', value: more ? `More than ${figure(waiting)}` : figure(waiting) },
          { label: 'Oldest waiting', value: oldest ? <Time at={oldest} /> : 'None' },
        ]}
      />
    </Section>
  )
}

/** Buttons that pause or resume a stream, and delete it. */
function StreamDanger({
  place,
  resting,
  logHref,
  change,
  remove,
}: {
  place: Record<string, string>
  /** Whether the stream is paused or stopped. */
  resting: boolean
  /** The URL of the page to open after deletion. */
  logHref: string
  change: FormAction
  remove: FormAction
}) {
  return (
    <Section
      danger
      title={resting ? 'Resume or delete' : 'Pause or delete'}
      description="While a stream is paused, events are kept for up to 30 days and sent when you resume it."
    >
      <div className="flex flex-wrap gap-3">
        <ActionButton
          action={change}
          fields={{ ...place, enabled: resting ? 'on' : 'off' }}
          done={resting ? 'Stream resumed' : 'Stream paused'}
        >
          {resting ? 'Resume stream' : 'Pause stream'}
        </ActionButton>
        <ConfirmAction
          trigger="Delete stream"
          title="Delete this stream?"
          confirmLabel="Delete stream"
          done="Stream deleted"
          action={remove}
          fields={{ ...place, back: logHref }}
        >
          <p>
            Events that haven’t been sent yet will be discarded from the stream. The audit log isn’t affected.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
