'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** A form to create a workspace. Its only field is the workspace's name. */
export function NewWorkspaceForm({ action }: { action: FormAction }) {
  const [state, submit, pending] = useFormAction(action)
  return (
    <form action={submit}>
      <Section
        title="Workspace"
        description="A workspace contains projects, members, and OAuth apps. You can invite other people later."
        footer={<SubmitButton className="ml-auto">Create workspace</SubmitButton>}
      >
        <FormOutcome state={state} />
        <TextField
          label="Workspace name"
          name="name"
          required
          maxLength={80}
          autoComplete="organization"
          defaultValue={state.values.name}
          error={pending ? undefined : state.fields.name}
        />
      </Section>
    </form>
  )
}
