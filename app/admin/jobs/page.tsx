import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { FailedJobTable, JobTable } from '@/components/instance-admin/job-table'
import { Alert } from '@/components/ui/alert'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Stack } from '@/components/ui/stack'
import { listJobs } from '@/lib/features/instance-admin/jobs'
import { openInstanceAdmin } from '../open-instance-admin'
import { retryJobAction, runJobAction } from './actions'

export const metadata: Metadata = { title: 'Background jobs' }

export default async function JobsPage() {
  const { actor } = await openInstanceAdmin('/admin/jobs')
  const { running, queues, failed, more } = await listJobs(actor)
  return (
    <Stack>
      {!running && (
        <Alert tone="warning" title="No background jobs">
          No process of this service has started its background jobs on this database. Start it with its own
          server rather than on a host that only runs pages.
        </Alert>
      )}
      {running && (
        <>
          <Section
            title="Queues"
            description="Background work. With several replicas, each job runs on one of them."
            flush
          >
            <JobTable queues={queues} run={runJobAction} />
          </Section>
          <Section
            title="Failed"
            description={`Gave up after their last try, newest first.${more ? ' Only the newest 50 are shown.' : ''}`}
            flush
          >
            {failed.length > 0 ? (
              <FailedJobTable jobs={failed} retry={retryJobAction} />
            ) : (
              <EmptyState icon={CircleCheck} title="Nothing failed">
                Jobs that gave up appear here with the reason, and can be retried.
              </EmptyState>
            )}
          </Section>
        </>
      )}
    </Stack>
  )
}
