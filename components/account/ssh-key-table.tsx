import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import { LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedKey = {
  id: string
  name: string
  /** The SHA-256 fingerprint in the format that `ssh-keygen -l` prints: `SHA256:…`. */
  fingerprint: string
  /** The algorithm at the start of the key, such as `ssh-ed25519`. */
  algorithm: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** Lists the user's SSH keys, each with a button to remove it. */
export function SshKeyTable({ keys, remove }: { keys: ListedKey[]; remove: FormAction }) {
  return (
    <Table
      caption="SSH keys"
      head={
        <>
          <Head>Key</Head>
          <Head>Added</Head>
          <Head>Last used</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {keys.map(({ id, name, fingerprint, algorithm, createdAt, lastUsedAt }) => (
        <Row key={id}>
          <Cell>
            <span className="grid min-w-52 gap-0.5">
              <span className="font-medium">{name}</span>
              <span className="break-all font-mono text-muted text-xs">{fingerprint}</span>
              <span className="text-[13px] text-muted">{algorithm}</span>
            </span>
          </Cell>
          <Cell muted>
            <Time at={createdAt} />
          </Cell>
          <Cell muted className="whitespace-nowrap">
            <LastUsed at={lastUsedAt} />
          </Cell>
          <Cell numeric>
            <ConfirmAction
              trigger="Remove"
              triggerLook={{ size: 'small' }}
              triggerLabel={`Remove ${name}`}
              title={`Remove ${name}?`}
              confirmLabel="Remove SSH key"
              done="SSH key removed"
              action={remove}
              fields={{ id }}
            >
              <p>Anything that uses this key stops working. You can add the key again later.</p>
            </ConfirmAction>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
