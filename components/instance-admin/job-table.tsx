import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { FailedJob } from '@/lib/features/instance-admin/jobs'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedQueue = {
  name: string
  title: string
  about: string
  slot?: { hour?: number; minute?: number }
  next?: Date
  waiting: number
  active: number
  failed: number
  last?: { at: Date; seconds: number; failed: boolean }
}

const rhythm = (slot: ListedQueue['slot']): string => {
  if (!slot) return 'When needed'
  if (slot.hour !== undefined) return 'Every day'
  return slot.minute === undefined ? 'Every minute' : 'Every hour'
}

const seconds = (value: number) => (value < 1 ? 'under a second' : `${value.toFixed(1)} s`)

/**
 * Lists the background queues, each with its status and, for a scheduled job, a button to run the job now.
 */
export function JobTable({ queues, run }: { queues: ListedQueue[]; run: FormAction }) {
  return (
    <Table
      caption="Background jobs"
      head={
        <>
          <Head>Job</Head>
          <Head>Last run</Head>
          <Head>Next</Head>
          <Head numeric>Waiting</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {queues.map(({ name, title, about, slot, next, waiting, active, failed, last }) => (
        <Row key={name}>
          <Cell className="w-full min-w-72">
            <span className="flex flex-wrap items-center gap-1.5 font-medium">
              {title} {active > 0 && <Badge tone="accent">Running</Badge>}
              {failed > 0 && <Badge tone="danger">{failed} failed</Badge>}
            </span>
            <span className="block text-[13px] text-muted">{about}</span>
            <span className="block font-mono text-muted text-xs">{name}</span>
          </Cell>
          <Cell>
            {last ? (
              <>
                <span className="flex items-center gap-1.5">
                  <Time at={last.at} /> {last.failed && <Badge tone="danger">Failed</Badge>}
                </span>
                <span className="block whitespace-nowrap text-[13px] text-muted">
                  {seconds(last.seconds)}
                </span>
              </>
            ) : (
              <span className="text-muted">Not yet</span>
            )}
          </Cell>
          <Cell>
            <span className="block whitespace-nowrap">{rhythm(slot)}</span>
            {/* The next run of an every-minute job would be in the past by the time an admin reads the page. */}
            {next && slot?.minute !== undefined && <Time at={next} className="text-[13px] text-muted" />}
          </Cell>
          <Cell numeric>{waiting}</Cell>
          <Cell numeric>
            {slot && (
              <ActionButton
                action={run}
                fields={{ id: name }}
                look={{ size: 'small' }}
                done="Starts within 30 seconds"
              >
                Run now <span className="sr-only">{title}</span>
              </ActionButton>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** Lists jobs that failed permanently, with the error and a button to retry. */
export function FailedJobTable({ jobs, retry }: { jobs: FailedJob[]; retry: FormAction }) {
  return (
    <Table
      caption="Failed jobs"
      head={
        <>
          <Head>Job</Head>
          <Head>Failed</Head>
          <Head>Error</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {jobs.map(({ id, title, at, attempts, error }) => (
        <Row key={id}>
          <Cell>
            <span className="block font-medium">{title}</span>
            <span className="block max-w-40 truncate font-mono text-muted text-xs" title={id}>
              {id}
            </span>
          </Cell>
          <Cell>
            <Time at={at} />
            <span className="block whitespace-nowrap text-[13px] text-muted">
              {attempts === 1 ? 'after 1 attempt' : `after ${attempts} attempts`}
            </span>
          </Cell>
          <Cell className="wrap-anywhere min-w-60 max-w-[420px]">{error}</Cell>
          <Cell numeric>
            <ActionButton action={retry} fields={{ id }} look={{ size: 'small' }} done="Job queued again">
              Retry <span className="sr-only">{title}</span>
            </ActionButton>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
