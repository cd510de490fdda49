import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

/** Switches a webhook off and on, and deletes it. */
export function StateSection({
  id,
  disabled,
  listHref,
  change,
  remove,
}: {
  id: string
  disabled: boolean
  /** Where deleting it leads. */
  listHref: string
  change: FormAction
  remove: FormAction
}) {
  return (
    <Section danger title="Disable or delete" description="While disabled, events are skipped, not queued.">
      <div className="flex flex-wrap gap-2 md:justify-end">
        <ActionButton
          action={change}
          fields={{ id, enabled: disabled ? 'on' : 'off' }}
          done={disabled ? 'Webhook enabled' : 'Webhook disabled'}
        >
          {disabled ? 'Enable webhook' : 'Disable webhook'}
        </ActionButton>
        <ConfirmAction
          trigger="Delete webhook"
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          done="Webhook deleted"
          action={remove}
          fields={{ id, back: listHref }}
        >
          <p>Stops sending to its address, and deletes its log. Can’t be undone.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
