import { Server } from 'lucide-react'
import type { Metadata } from 'next'
import { FactList } from '@/components/operator/fact-list'
import { ReplicaTable } from '@/components/operator/replica-table'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Stack } from '@/components/ui/stack'
import { readHealth } from '@/lib/features/operator/read-health'
import { listReplicas } from '@/lib/features/operator/replicas/list-replicas'
import { openOperator } from './open-operator'
import { OperatorHeader } from './operator-header'

export const metadata: Metadata = { title: 'Health' }

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

export default async function HealthPage() {
  const { actor } = await openOperator('/operator')
  const [{ database, counts }, replicas] = await Promise.all([readHealth(actor), listReplicas(actor)])
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
        <Section title="Replicas" description="What each process said of itself in the last seconds." flush>
          {replicas.length > 0 ? (
            <ReplicaTable replicas={replicas} />
          ) : (
            <EmptyState icon={Server} title="No process lives long enough to say">
              On a platform of functions, look at what the platform shows.
            </EmptyState>
          )}
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
