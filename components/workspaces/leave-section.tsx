import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'

/** The way out of a workspace, for everyone in it. */
export function LeaveSection({
  workspace: { id, name },
  action,
}: {
  workspace: { id: string; name: string }
  action: FormAction
}) {
  return (
    <Section
      danger
      title="Leave workspace"
      description="You lose access, and so do your tokens and apps here."
    >
      <div>
        <ConfirmAction
          trigger="Leave workspace"
          title={`Leave ${name}?`}
          confirmLabel="Leave"
          done="You left the workspace"
          action={action}
          fields={{ id }}
        >
          <p>You lose access, and so do your tokens and apps here. An admin can invite you again.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
