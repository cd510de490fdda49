'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/** A workspace's name and address; read-only for those who do not administer it. */
export function WorkspaceForm({
  workspace,
  editable,
  action,
}: {
  workspace: { id: string; name: string; slug: string }
  editable: boolean
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const footer = editable ? (
    <>
      <span>Links to the old address stop working.</span>
      <SubmitButton>Save</SubmitButton>
    </>
  ) : (
    'Only admins of this workspace can change this.'
  )
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={workspace.id} />
      <Section title="Workspace" description="How it is called and found." footer={footer}>
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
          label="Address"
          name="slug"
          required
          maxLength={50}
          readOnly={!editable}
          spellCheck={false}
          autoCapitalize="none"
          hint="The last part of its web address: lowercase letters, digits and hyphens."
          defaultValue={state.values.slug ?? workspace.slug}
          error={state.fields.slug}
        />
        <ValueField label="Workspace ID" value={workspace.id} hint="What the API calls this workspace." />
      </Section>
    </form>
  )
}
