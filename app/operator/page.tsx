import type { Metadata } from 'next'
import { FactList } from '@/components/operator/fact-list'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { readHealth } from '@/lib/features/operator/read-health'
import { openOperator } from './open-operator'
import { OperatorHeader } from './operator-header'

export const metadata: Metadata = { title: 'Health' }

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
const duration = (seconds: number) =>
  seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`

export default async function HealthPage() {
  const { actor } = await openOperator('/operator')
  const { database, pool, process, counts } = await readHealth(actor)
  const current = database.missing.length === 0
  return (
    <>
      <OperatorHeader />
      <Stack>
        <Section title="Database" description="PostgreSQL, as this process sees it.">
          <FactList
            facts={[
              { label: 'State', value: <Badge tone="success">Answers</Badge> },
              { label: 'Version', value: database.version },
              { label: 'Answered in', value: `${database.milliseconds.toFixed(1)} ms` },
              { label: 'Size', value: megabytes(Number(database.bytes)) },
              { label: 'Connections', value: database.connections },
              {
                label: 'Migrations',
                value: current ? (
                  'All applied'
                ) : (
                  <Badge tone="danger">{database.missing.length} missing</Badge>
                ),
              },
            ]}
          />
        </Section>
        <Section title="This process" description="Each replica answers for itself.">
          <FactList
            facts={[
              { label: 'Running for', value: duration(process.uptimeSeconds) },
              { label: 'Memory', value: megabytes(process.memoryBytes) },
              { label: 'Node', value: process.node },
              { label: 'Pool', value: `${pool.open} open, ${pool.idle} idle, ${pool.waiting} waiting` },
            ]}
          />
        </Section>
        <Section title="In numbers">
          <FactList
            facts={[
              { label: 'People', value: `${counts.people} (${counts.suspended} suspended)` },
              { label: 'Live sessions', value: counts.sessions },
              { label: 'Workspaces', value: counts.workspaces },
              { label: 'Projects', value: counts.projects },
              { label: 'OAuth apps', value: counts.apps },
            ]}
          />
        </Section>
      </Stack>
    </>
  )
}
