import type { Metadata } from 'next'
import { AppsWaiting, CountsSection } from '@/components/instance-admin/overview'
import { ReplicaTable } from '@/components/instance-admin/replica-table'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { FactList } from '@/components/ui/fact-list'
import { Server } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { release, releaseCommit, shortCommit } from '@/lib/base/process/release'
import { countDemo } from '@/lib/features/demo/remove-demo'
import { readHealth } from '@/lib/features/instance-admin/read-instance'
import { listReplicas } from '@/lib/features/instance-admin/replicas'
import { openInstanceAdmin } from './open-instance-admin'

export const metadata: Metadata = { title: 'Health' }

export default async function HealthPage() {
  const { actor } = await openInstanceAdmin('/admin')
  const [{ database, counts }, replicas, demo] = await Promise.all([
    readHealth(actor),
    listReplicas(actor),
    countDemo(actor),
  ])
  const current = database.missing.length === 0
  const commit = releaseCommit()
  return (
    <Stack>
      <AppsWaiting count={counts.waiting} />
      <Section title="Release" description="The release of the replica that served this page.">
        <FactList
          facts={[
            { label: 'Version', value: release },
            {
              label: 'Commit',
              value: commit ? <code title={commit}>{shortCommit(commit)}</code> : 'Unknown',
            },
          ]}
        />
      </Section>
      <Section title="Database" description="Database status, measured from this replica.">
        <FactList
          facts={[
            { label: 'Status', value: <Badge tone="success">Connected</Badge> },
            { label: 'Version', value: database.version },
            { label: 'Query time', value: `${database.milliseconds.toFixed(1)} ms` },
            { label: 'Size', value: `${Math.round(Number(database.bytes) / 2 ** 20)} MB` },
            { label: 'Connections', value: database.connections },
            {
              label: 'Migrations',
              value: current ? 'All applied' : <Badge tone="danger">{database.missing.length} missing</Badge>,
            },
          ]}
        />
      </Section>
      <Section title="Replicas" description="The current status of each process." flush>
        {replicas.length > 0 ? (
          <ReplicaTable replicas={replicas} />
        ) : (
          <EmptyState icon={Server} title="No replicas to show">
            On a serverless platform, use the platform’s dashboard instead.
          </EmptyState>
        )}
      </Section>
      <CountsSection counts={counts} demo={demo} />
    </Stack>
  )
}
