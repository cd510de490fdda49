'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedSecret = { id: string; lastFour: string; createdAt: Date; lastUsedAt: Date | null }

/** A web app's secrets: several live at once, so that one can be exchanged without an outage. */
export function SecretsSection({
  clientId,
  secrets,
  add,
  revoke,
}: {
  clientId: string
  secrets: ListedSecret[]
  add: FormAction<{ secret: string }>
  revoke: FormAction
}) {
  const [added, submit] = useActionState(add, untouched)
  const create = (
    <form action={submit}>
      <input type="hidden" name="id" value={clientId} />
      <SubmitButton variant="secondary">Add secret</SubmitButton>
    </form>
  )
  return (
    <>
      {added.result && (
        <SecretOnce
          key={added.turn}
          label="Client secret"
          value={added.result.secret}
          env={{ CLIENT_ID: clientId, CLIENT_SECRET: added.result.secret }}
        />
      )}
      <Section
        title="Client secrets"
        description="To exchange a secret, add one, move your app to it, then revoke the old one."
        action={create}
        flush
      >
        {added.message && (
          <div className="p-4 sm:px-6">
            <Alert tone="danger" title={added.message} />
          </div>
        )}
        {secrets.length === 0 ? (
          <EmptyState title="No secret">The app cannot get tokens until it has one.</EmptyState>
        ) : (
          <SecretTable clientId={clientId} secrets={secrets} revoke={revoke} />
        )}
      </Section>
    </>
  )
}

function SecretTable({
  clientId,
  secrets,
  revoke,
}: {
  clientId: string
  secrets: ListedSecret[]
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
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {secrets.map(({ id, lastFour, createdAt, lastUsedAt }) => (
        <Row key={id}>
          <Cell className="whitespace-nowrap font-mono text-[13px]">lk_cs_…{lastFour}</Cell>
          <Cell muted>
            <Time at={createdAt} />
          </Cell>
          <Cell muted className="whitespace-nowrap">
            {lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}
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
              <p>Requests that use this secret fail from now on. Tokens already issued stay valid.</p>
            </ConfirmAction>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
