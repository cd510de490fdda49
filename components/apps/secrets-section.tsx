'use client'

import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { SecretSummary } from '@/lib/features/apps/read-apps'
import { ConfirmAction } from '../forms/action-button'
import { ExpiryField } from '../forms/expiry-field'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Expiry } from '../ui/expiry'
import { TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/**
 * Lists a web app's secrets, with a form to add a secret. A new secret is shown once. Several secrets can be
 * valid at the same time, so that a secret can be replaced without an outage.
 */
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
  const [added, submit] = useFormAction(add)
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
        description="To rotate: add a secret, deploy it, then revoke the old one. Both secrets work until then."
        flush
      >
        {secrets.length === 0 ? (
          <EmptyState title="No secret">The app needs a client secret to get tokens.</EmptyState>
        ) : (
          <SecretTable clientId={clientId} secrets={secrets} revoke={revoke} />
        )}
      </Section>
      <form action={submit}>
        <input type="hidden" name="id" value={clientId} />
        <Section
          title="New secret"
          description="We email admins a week before a secret expires."
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
            hint="Where the secret is used, such as a server name."
            defaultValue={values.name}
            error={fields.name}
          />
          <ExpiryField key={turn} days={values.expiresInDays ?? ''} error={fields.expiresAt} />
        </Section>
      </form>
    </>
  )
}

/**
 * Lists an app's secrets, each with its creation, last use, and expiration, and with a button to revoke it.
 */
function SecretTable({
  clientId,
  secrets,
  revoke,
}: {
  clientId: string
  secrets: SecretSummary[]
  revoke: FormAction
}) {
  return (
    <Table
      caption="Client secrets"
      head={
        <>
          <Head>Secret</Head>
          <Head>Created</Head>
          <Head>Last used</Head>
          <Head>Expires</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {secrets.map(({ id, name, lastFour, createdAt, lastUsedAt, expiresAt }) => (
        <Row key={id}>
          <Cell>
            <span className="grid gap-0.5 sm:min-w-40">
              {name && <bdi className="wrap-anywhere font-medium">{name}</bdi>}
              <span className="whitespace-nowrap font-mono text-[13px]">lk_cs_…{lastFour}</span>
            </span>
          </Cell>
          <Cell muted>
            <Time at={createdAt} />
          </Cell>
          <Cell muted className="whitespace-nowrap">
            {lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}
          </Cell>
          <Cell muted className="whitespace-nowrap">
            <Expiry at={expiresAt} />
          </Cell>
          <Cell numeric>
            <ConfirmAction
              trigger="Revoke"
              triggerLook={{ size: 'small' }}
              triggerLabel={`Revoke the secret ending in ${lastFour}`}
              title={`Revoke the secret ending in ${lastFour}?`}
              confirmLabel="Revoke secret"
              done="Secret revoked"
              action={revoke}
              fields={{ id: clientId, secretId: id }}
            >
              <p>
                Anything still using this secret stops working. Tokens already issued keep working until they
                expire.
              </p>
            </ConfirmAction>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
