'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextAreaField, TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { ValueField } from '../ui/value-field'

/** A form for the name and description of a project. The form is read-only if `editable` is false. */
export function ProjectForm({
  project,
  editable,
  action,
}: {
  project: { id: string; name: string; description: string }
  editable: boolean
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: project.id }} />
      <Section
        title="General"
        description={editable ? undefined : 'Only members and admins can change these settings.'}
      >
        <FormOutcome state={state} saved="Project saved" />
        <TextField
          label="Project name"
          name="name"
          required
          maxLength={80}
          readOnly={!editable}
          defaultValue={state.values.name ?? project.name}
          error={state.fields.name}
        />
        <TextAreaField
          label="Description"
          name="description"
          optional={editable}
          maxLength={2000}
          readOnly={!editable}
          defaultValue={state.values.description ?? project.description}
          error={state.fields.description}
        />
        <ValueField label="Project ID" value={project.id} hint="Identifies this project in the API." />
      </Section>
      {editable && <SaveBar state={state} />}
    </form>
  )
}
