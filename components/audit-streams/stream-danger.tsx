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
      description="While a stream is paused, events wait for up to 30 days, and are sent once you resume it."
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
          <p>Nothing more is sent, including what’s waiting. The audit log itself stays.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
