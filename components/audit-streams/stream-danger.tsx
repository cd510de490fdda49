import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

/** Pauses a stream, resumes and deletes it. */
export function StreamDanger({
  place,
  resting,
  logHref,
  change,
  remove,
}: {
  place: Record<string, string>
  /** Whether nothing is sent now. */
  resting: boolean
  /** Where deleting it leads. */
  logHref: string
  change: FormAction
  remove: FormAction
}) {
  return (
    <Section
      danger
      title={resting ? 'Resume or delete' : 'Pause or delete'}
      description="What happens while a stream rests waits for 30 days, and is sent once you resume it."
    >
      <div className="flex flex-wrap gap-3">
        <ActionButton
          action={change}
          fields={{ ...place, enabled: resting ? 'on' : 'off' }}
          done={resting ? 'The stream goes on' : 'The stream is paused'}
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
          <p>Nothing is sent any more, what waits included. The audit log itself stays.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
