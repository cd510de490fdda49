import type { Metadata } from 'next'
import { ConfirmAction } from '@/components/forms/action-button'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/card'
import { Cell, Head, Row, Table } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import { listSigningKeys } from '@/lib/features/instance-admin/manage-keys'
import { openInstanceAdmin } from '../open-instance-admin'
import { rotateKeysAction } from './actions'

export const metadata: Metadata = { title: 'Signing keys' }

const states = {
  announced: <Badge tone="accent">Announced</Badge>,
  signing: <Badge tone="success">Signing</Badge>,
  retired: <Badge>Retired</Badge>,
}

export default async function KeysPage() {
  const { actor } = await openInstanceAdmin('/admin/keys')
  const keys = await listSigningKeys(actor)
  const rotate = (
    <ConfirmAction
      trigger="Rotate keys"
      triggerLook={{ variant: 'secondary' }}
      title="Rotate the signing keys?"
      confirmLabel="Rotate keys"
      done="Keys rotated"
      action={rotateKeysAction}
    >
      <p>
        New keys will be published immediately and will start signing one hour later. The current keys stay
        published until everything they signed has expired.
      </p>
    </ConfirmAction>
  )
  return (
    <Section title="Key set" action={rotate} flush>
      <Table
        caption="Signing keys"
        head={['Key', 'Algorithm', 'Status', 'Signing start', 'Removal'].map((column) => (
          <Head key={column}>{column}</Head>
        ))}
      >
        {keys.map(({ kid, alg, state, signsFrom, expiresAt }) => (
          <Row key={kid}>
            <Cell className="font-mono text-[13px]">{kid}</Cell>
            <Cell>{alg}</Cell>
            <Cell>{states[state]}</Cell>
            <Cell muted>
              <Time at={signsFrom} />
            </Cell>
            <Cell muted>{expiresAt ? <Time at={expiresAt} capital /> : 'After the next rotation'}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
