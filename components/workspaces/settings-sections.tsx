import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'

/** Lets users leave a workspace. */
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
      description="You, your tokens, and the apps you authorized lose access to this workspace."
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
          <p>
            You, your tokens, and the apps you authorized will lose access to this workspace. An admin can
            invite you again.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}

/** Lets admins choose whether the members of a workspace must use two-factor authentication. */
export function TwoFactorRule({
  workspaceId,
  required,
  action,
}: {
  workspaceId: string
  required: boolean
  action: FormAction
}) {
  return (
    <Section
      title="Two-factor authentication"
      description="If required, members need two-factor authentication to open this workspace or share it with apps. API tokens and app authorizations that were created without it can’t access the workspace."
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        {required ? <Badge tone="success">Required</Badge> : <Badge>Not required</Badge>}
        <ActionButton
          action={action}
          fields={{ id: workspaceId, required: required ? 'no' : 'yes' }}
          done="Saved"
        >
          {required ? 'Stop requiring two-factor' : 'Require two-factor'}
        </ActionButton>
      </div>
    </Section>
  )
}
