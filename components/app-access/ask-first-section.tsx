'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** What apps do in a workspace only after they asked the person whom they act for. */
export function AskFirstSection({
  workspaceId,
  choices,
  chosen,
  action,
}: {
  workspaceId: string
  /** What can be chosen, with its words. */
  choices: Record<string, { label: string }>
  chosen: readonly string[]
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Ask first"
        description="An app or agent that is about to do one of these waits until the person it acts for has approved it on a page here. People’s own tokens and installed apps aren’t affected."
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            Save what is asked first
          </SubmitButton>
        }
      >
        <FormOutcome state={state} saved="Saved" />
        <ChoiceGroup legend="Approved by the person each time, or for an hour">
          {Object.entries(choices).map(([value, { label }]) => (
            <Checkbox
              key={value}
              name="askFirst"
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
