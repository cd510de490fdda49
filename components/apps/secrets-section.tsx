'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import type { SecretSummary } from '@/lib/features/apps/read-apps'
import { ExpiryField } from '../forms/expiry-field'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { SecretTable } from './secret-table'

/** A web app's secrets: several live at once, so that one can be exchanged without an outage. */
export function SecretsSection({
  clientId,
  secrets,
  add,
  revoke,
}: {
  clientId: string
  secrets: SecretSummary[]
  add: FormAction<{ secret: string }>
  revoke: FormAction
}) {
  const [added, submit] = useActionState(add, untouched)
  const { values, fields, turn } = added
  return (
    <>
      {added.result && (
        <SecretOnce
          key={turn}
          label="Client secret"
          value={added.result.secret}
          env={{ CLIENT_ID: clientId, CLIENT_SECRET: added.result.secret }}
        />
      )}
      <Section
        title="Client secrets"
        description="To rotate: add a secret, deploy it, then revoke the old one. Both work in between."
        flush
      >
        {secrets.length === 0 ? (
          <EmptyState title="No secret">Without a secret the app can’t get tokens.</EmptyState>
        ) : (
          <SecretTable clientId={clientId} secrets={secrets} revoke={revoke} />
        )}
      </Section>
      <form action={submit}>
        <input type="hidden" name="id" value={clientId} />
        <Section
          title="New secret"
          description="The admins of the workspace are told a week before a secret expires."
          footer={
            <SubmitButton variant="secondary" className="ml-auto">
              Add secret
            </SubmitButton>
          }
        >
          <FormOutcome state={added} />
          <TextField
            label="Secret name"
            name="name"
            optional
            maxLength={80}
            autoComplete="off"
            hint="Where it’s used, such as the server."
            defaultValue={values.name}
            error={fields.name}
          />
          <ExpiryField key={turn} days={values.expiresInDays ?? ''} error={fields.expiresAt} />
        </Section>
      </form>
    </>
  )
}
