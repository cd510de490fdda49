'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { type Scope, scopeTable } from '@/lib/policy/scopes'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextField } from '../ui/field'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** Lets an app act for the people whom the provider names, or changes how far. */
export function ManagedAppForm({
  workspaceId,
  offered,
  action,
}: {
  workspaceId: string
  offered: readonly string[]
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const chosen = (state.values.scopes ?? 'workspace:viewer').split('\n')
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Let an app in"
        description="It then acts here for the people your provider names, without asking them. Never beyond their own role, or what you choose here."
        footer={<SubmitButton className="ml-auto">Let app in</SubmitButton>}
      >
        <FormOutcome state={state} saved="App let in" />
        <TextField
          label="App’s client ID"
          name="clientId"
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          hint="An OAuth app with a secret or a key. Your provider uses the same ID for it."
          defaultValue={state.values.clientId}
          error={state.fields.clientId}
        />
        <ChoiceGroup key={state.turn} legend="At most" error={state.fields.scopes}>
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              name="scopes"
              value={scope}
              defaultChecked={chosen.includes(scope)}
              hint={scopeTable[scope as Scope].sentence}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}
