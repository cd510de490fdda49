'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextAreaField, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** A form to add an SSH key to the account. */
export function SshKeyForm({ action }: { action: FormAction }) {
  const [state, submit] = useFormAction(action)
  const { values, fields } = state
  return (
    <form action={submit}>
      <Section
        title="New SSH key"
        description="Paste your public key (the file that ends in .pub). Never share your private key."
        footer={<SubmitButton className="ml-auto">Add SSH key</SubmitButton>}
      >
        <FormOutcome state={state} saved="SSH key added" />
        <TextField
          label="Title"
          name="name"
          optional
          maxLength={80}
          autoComplete="off"
          hint="The computer that uses the key. Default: the key’s comment."
          defaultValue={values.name}
          error={fields.name}
        />
        <TextAreaField
          label="Public key"
          name="publicKey"
          required
          mono
          rows={4}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5… you@laptop"
          className="break-all"
          defaultValue={values.publicKey}
          error={fields.publicKey}
        />
      </Section>
    </form>
  )
}
