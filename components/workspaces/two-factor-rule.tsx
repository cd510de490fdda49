import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'

/** Whether a workspace asks its people for two factors, and the switch. */
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
      title="Two-factor"
      description="When required, people open this workspace in the browser only after signing in with a second factor, and share it with apps only then. Tokens and apps that have access keep it."
      action={
        <ActionButton
          action={action}
          fields={{ id: workspaceId, required: required ? 'no' : 'yes' }}
          done="Saved"
        >
          {required ? 'No longer require' : 'Require two-factor'}
        </ActionButton>
      }
    >
      <p>{required ? <Badge tone="success">Required</Badge> : <Badge>Not required</Badge>}</p>
    </Section>
  )
}
