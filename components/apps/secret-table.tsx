import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { SecretSummary } from '@/lib/features/apps/read-apps'
import { ConfirmAction } from '../forms/confirm-action'
import { Expiry } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/** An app's secrets, each with its end, and revocable before. */
export function SecretTable({
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
