import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { StreamState } from '@/lib/features/audit-streams/read-stream'
import { Stack } from '../ui/stack'
import { SigningSecretSection } from '../webhooks/signing-secret-section'
import { NewStreamForm } from './new-stream-form'
import { StreamDanger } from './stream-danger'
import { StreamForm } from './stream-form'
import { StreamStatus } from './stream-status'

type Actions = {
  create: FormAction<{ secret: string }>
  update: FormAction
  change: FormAction
  retry: FormAction
  rotate: FormAction<{ secret: string }>
  remove: FormAction
}

/** Where an audit log is sent and how that goes; the form to begin with where it is sent nowhere. */
export function StreamSettings({
  place,
  stream,
  href,
  logHref,
  actions,
}: {
  /** Hidden fields that say whose audit log it is. */
  place: Record<string, string>
  stream: StreamState | undefined
  /** The address of the page this is on, and of the audit log. */
  href: string
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
