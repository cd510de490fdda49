import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { StreamState } from '@/lib/features/audit-streams/read-stream'
import { figure } from '../apps/usage-format'
import { ActionButton } from '../forms/action-button'
import { FactList } from '../operator/fact-list'
import { Alert } from '../ui/alert'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Time } from '../ui/time'

const badges = {
  sending: <Badge tone="success">Sending</Badge>,
  failing: <Badge tone="warning">Failing</Badge>,
  paused: <Badge tone="warning">Paused</Badge>,
  stopped: <Badge tone="danger">Stopped</Badge>,
}

/** How a stream does: what was delivered last, what waits, and what went wrong, in words. */
export function StreamStatus({
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
      title="State"
      description="Events are sent in the order they were recorded. Failed deliveries are retried, at most an hour apart. After three days without success the stream stops, and admins get an email."
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
          {failures === 1 ? 'One attempt' : `${figure(failures)} attempts`} in a row failed, the first{' '}
          <Time at={failingSince} />.
          {state === 'failing' && (
            <>
              {' '}
              The next is due <Time at={nextAt} />.
            </>
          )}
          {state === 'stopped' && ' Nothing is sent until you resume it.'}
        </Alert>
      )}
      <FactList
        facts={[
          { label: 'State', value: badges[state] },
          { label: 'Last delivered', value: lastSuccessAt ? <Time at={lastSuccessAt} /> : 'Nothing yet' },
          { label: 'Waiting', value: more ? `More than ${figure(waiting)}` : figure(waiting) },
          { label: 'Oldest waiting', value: oldest ? <Time at={oldest} /> : 'None' },
        ]}
      />
    </Section>
  )
}
