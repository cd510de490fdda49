import type { Metadata } from 'next'
import { FailedJobTable, JobTable } from '@/components/instance-admin/job-table'
import { Alert } from '@/components/ui/alert'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { CircleCheck } from '@/components/ui/icon'
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
          No background job has run on this database yet. Start a Latchkey server that uses it. On a
          serverless platform, set CRON_SECRET and call /api/cron on a schedule.
        </Alert>
      )}
      {running && (
        <>
          <Section title="Queues" description="Each job runs on one replica." flush>
            <JobTable queues={queues} run={runJobAction} />
          </Section>
          <Section
            title="Failed"
            description={`Jobs whose last attempt failed, newest first.${more ? ' Only the newest 50 are shown.' : ''}`}
            flush
          >
            {failed.length > 0 ? (
              <FailedJobTable jobs={failed} retry={retryJobAction} />
            ) : (
              <EmptyState icon={CircleCheck} title="No failed jobs">
                Failed jobs appear here with the error. You can retry them.
              </EmptyState>
            )}
          </Section>
        </>
      )}
    </Stack>
  )
}
