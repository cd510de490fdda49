'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextAreaField, TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/**
 * A form for the name and description of an existing project or, without `project`, of a new project. The form is read-only
 * if `editable` is false.
 */
export function ProjectForm({
  project,
  editable = true,
  fields,
  action,
}: {
  project?: { id: string; name: string; description: string }
  editable?: boolean
  /** Hidden inputs that identify the project or workspace. */
  fields: Record<string, string>
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const create = <SubmitButton className="ml-auto">Create project</SubmitButton>
  return (
    <form action={submit}>
      <HiddenFields fields={fields} />
      <Section
        title={project ? 'General' : 'Project'}
        description={editable ? undefined : 'Only members and admins can change these settings.'}
        footer={project ? undefined : create}
      >
        <FormOutcome state={state} saved="Project saved" />
        <TextField
          label="Project name"
          name="name"
          required
          maxLength={80}
          readOnly={!editable}
          defaultValue={state.values.name ?? project?.name}
          error={state.fields.name}
        />
        <TextAreaField
          label="Description"
          name="description"
          optional={editable}
          maxLength={2000}
          readOnly={!editable}
          defaultValue={state.values.description ?? project?.description}
          error={state.fields.description}
        />
        {project && (
          <ValueField label="Project ID" value={project.id} hint="Identifies this project in the API." />
        )}
      </Section>
      {project && editable && <SaveBar state={state} />}
    </form>
  )
}
