'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { useFormAction } from '../forms/use-form-action'
import { TextField } from '../ui/field'

/** A form to create a workspace. Its only field is the workspace's name. */
export function NewWorkspaceForm({ action }: { action: FormAction }) {
  const [state, submit, pending] = useFormAction(action)
  return (
    <CreationForm
      state={state}
      submit={submit}
      place={{}}
      title="Workspace"
      description="A workspace contains projects, members, and OAuth apps. You can invite other people later."
      listHref="/workspaces"
      button="Create workspace"
    >
      <TextField
        label="Workspace name"
        name="name"
        required
        maxLength={80}
        autoComplete="organization"
        defaultValue={state.values.name}
        error={pending ? undefined : state.fields.name}
      />
    </CreationForm>
  )
}
