'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { useFormAction } from '../forms/use-form-action'
import { TextAreaField, TextField } from '../ui/field'

/** A form to create a project in a workspace. */
export function NewProjectForm({
  workspaceId,
  listHref,
  action,
}: {
  workspaceId: string
  /** The path of the list of projects. */
  listHref: string
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <CreationForm
      state={state}
      submit={submit}
      place={{ workspaceId }}
      title="Project"
      description="A project contains environments, variables, and tokens."
      listHref={listHref}
      button="Create project"
    >
      <TextField
        label="Project name"
        name="name"
        required
        maxLength={80}
        defaultValue={state.values.name}
        error={state.fields.name}
      />
      <TextAreaField
        label="Description"
        name="description"
        optional
        maxLength={2000}
        defaultValue={state.values.description}
        error={state.fields.description}
      />
    </CreationForm>
  )
}
