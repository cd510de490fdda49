import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedFailure = { id: string; queue: string; at: Date; attempts: number; error: string }

/** Jobs that failed for good: what went wrong, and a button to try once more. */
export function FailedJobTable({ jobs, retry }: { jobs: ListedFailure[]; retry: FormAction }) {
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
      {jobs.map(({ id, queue, at, attempts, error }) => (
        <Row key={id}>
          <Cell>
            <span className="block font-mono text-[13px]">{queue}</span>
            <span className="block max-w-40 truncate font-mono text-muted text-xs" title={id}>
              {id}
            </span>
          </Cell>
          <Cell>
            <Time at={at} />
            <span className="block whitespace-nowrap text-[13px] text-muted">
              {attempts === 1 ? 'after 1 try' : `after ${attempts} tries`}
            </span>
          </Cell>
          <Cell className="wrap-anywhere min-w-60 max-w-[420px]">{error}</Cell>
          <Cell numeric>
            <ActionButton action={retry} fields={{ id }} look={{ size: 'small' }} done="Job queued again">
              Retry <span className="sr-only">{queue}</span>
            </ActionButton>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
