'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { ValueField } from '../ui/value-field'

/**
 * A form for a workspace's name and slug, which also shows the workspace's ID. Only admins can edit the form.
 */
export function WorkspaceForm({
  workspace,
  editable,
  action,
}: {
  workspace: { id: string; name: string; slug: string }
  editable: boolean
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={workspace.id} />
      <Section
        title="Workspace"
        description={
          editable ? 'The name and URL of this workspace.' : 'Only admins can change these settings.'
        }
      >
        <FormOutcome state={state} saved="Workspace saved" />
        <TextField
          label="Workspace name"
          name="name"
          required
          maxLength={80}
          readOnly={!editable}
          defaultValue={state.values.name ?? workspace.name}
          error={state.fields.name}
        />
        <TextField
          label="URL"
          name="slug"
          required
          maxLength={50}
          readOnly={!editable}
          spellCheck={false}
          autoCapitalize="none"
          hint={
            editable &&
            'Use lowercase letters, digits, and hyphens. If you change it, links to the old URL stop working.'
          }
          defaultValue={state.values.slug ?? workspace.slug}
          error={state.fields.slug}
        />
        <ValueField label="Workspace ID" value={workspace.id} hint="Identifies this workspace in the API." />
      </Section>
      {editable && <SaveBar state={state} />}
    </form>
  )
}
