'use client'
import { allLanguages, type Language, languages } from '@/lib/base/language/languages'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { SelectField, TextField } from '../ui/field'
import { TextLink } from '../ui/link'

/**
 * A form to edit the user's name and language. It also shows the email address, which is changed elsewhere.
 */
export function ProfileForm({
  user,
  action,
}: {
  user: { name: string; email: string; language: Language }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <Section title="About you" description="Visible to workspace members and to apps with profile access.">
        <FormOutcome state={state} saved="Profile saved" />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={80}
          autoComplete="name"
          defaultValue={state.values.name ?? user.name}
          error={state.fields.name}
        />
        <TextField
          label="Email"
          hint={
            <>
              To change it, go to <TextLink href="/account/security">Security</TextLink>.
            </>
          }
          type="email"
          readOnly
          value={user.email}
        />
        <SelectField
          label="Language"
          hint="Used for emails and for the sign-in pages in this browser. The console is always in English."
          name="language"
          defaultValue={state.values.language ?? user.language}
          error={state.fields.language}
        >
          {allLanguages.map((language) => (
            <option key={language} value={language} lang={language}>
              {languages[language]}
            </option>
          ))}
        </SelectField>
      </Section>
      <SaveBar state={state} />
    </form>
  )
}
