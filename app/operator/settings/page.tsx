import type { Metadata } from 'next'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/card'
import { Cell, Head, Row, Table } from '@/components/ui/table'
import { readSettings } from '@/lib/features/operator/read-settings'
import { openOperator } from '../open-operator'

export const metadata: Metadata = { title: 'Settings in effect' }

export default async function SettingsInEffectPage() {
  const { actor } = await openOperator('/operator/settings')
  return (
    <Section
      title="Settings in effect"
      description="Read from the environment when the process started. Secrets are masked."
      flush
    >
      <Table
        caption="Settings"
        head={['Setting', 'Value', 'From'].map((column) => <Head key={column}>{column}</Head>)}
      >
        {readSettings(actor).map(({ name, value, set }) => (
          <Row key={name}>
            <Cell className="font-mono text-[13px]">{name}</Cell>
            <Cell className="break-all max-sm:col-span-full">
              {value || <span className="text-muted">not set</span>}
            </Cell>
            <Cell>{set ? <Badge tone="accent">Environment</Badge> : <Badge>Default</Badge>}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
