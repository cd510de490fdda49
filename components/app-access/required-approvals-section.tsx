'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'

/** Lets admins select the sensitive actions for which apps need the user's approval in a workspace. */
export function RequiredApprovalsSection({
  workspaceId,
  choices,
  chosen,
  action,
}: {
  workspaceId: string
  /** All sensitive actions with their labels. */
  choices: readonly { value: string; label: string }[]
  chosen: readonly string[]
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Required approvals"
        description="Apps and agents must get the user’s approval before each of these actions. API tokens and installed apps are exempt."
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            Save changes
          </SubmitButton>
        }
      >
        <FormOutcome state={state} saved="Saved" />
        <ChoiceGroup legend="Actions">
          {choices.map(({ value, label }) => (
            <Checkbox
              key={value}
              name="requiresApprovalFor"
              value={value}
              label={label}
              defaultChecked={chosen.includes(value)}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}
