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
      description="Members need a second factor to open this workspace or share it with apps. Existing tokens and apps keep working."
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        {required ? <Badge tone="success">Required</Badge> : <Badge>Not required</Badge>}
        <ActionButton
          action={action}
          fields={{ id: workspaceId, required: required ? 'no' : 'yes' }}
          done="Saved"
        >
          {required ? 'No longer require' : 'Require two-factor'}
        </ActionButton>
      </div>
    </Section>
  )
}
