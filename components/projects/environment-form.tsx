'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'

/** A form to create an environment in a project, or to rename an existing environment. */
export function EnvironmentForm({
  environment,
  fields,
  action,
}: {
  environment?: { name: string }
  /** Hidden inputs that identify the project or environment. */
  fields: Record<string, string>
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={fields} />
      <Section
        title={environment ? 'Name' : 'New environment'}
        description={
          environment ? undefined : 'A separate set of variables, such as production, staging, or preview.'
        }
        footer={!environment && <SubmitButton className="ml-auto">Create environment</SubmitButton>}
      >
        <FormOutcome state={state} saved={environment ? 'Environment renamed' : 'Environment created'} />
        <TextField
          label="Environment name"
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          defaultValue={state.values.name ?? environment?.name}
          error={state.fields.name}
        />
      </Section>
      {environment && <SaveBar state={state} label="Rename" />}
    </form>
  )
}
