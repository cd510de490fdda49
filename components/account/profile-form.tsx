'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Avatar } from '../ui/avatar'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** What others see of the person, and apps with the scope `profile`. */
export function ProfileForm({
  person,
  action,
}: {
  person: { name: string; email: string; avatarUrl: string | null }
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      <Section
        title="Profile"
        description="What members of your workspaces see, and apps that you let read your profile."
        footer={<SubmitButton className="ml-auto">Save</SubmitButton>}
      >
        <FormOutcome state={state} saved="Profile saved" />
        <Avatar name={person.name} src={person.avatarUrl} size="large" />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={80}
          autoComplete="name"
          defaultValue={state.values.name ?? person.name}
          error={state.fields.name}
        />
        <TextField label="Email" type="email" readOnly value={person.email} />
        <TextField
          label="Picture"
          name="avatarUrl"
          type="url"
          optional
          spellCheck={false}
          hint="The https address of an image. Without one, your initials are shown."
          defaultValue={state.values.avatarUrl ?? person.avatarUrl ?? ''}
          error={state.fields.avatarUrl}
        />
      </Section>
    </form>
  )
}
