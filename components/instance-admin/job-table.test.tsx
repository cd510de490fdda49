import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { JobTable, type ListedQueue } from './job-table'

const rowOf = (queue: Partial<ListedQueue>): string =>
  renderToStaticMarkup(
    <JobTable
      queues={[
        {
          name: 'note-queue',
          title: 'Count waiting jobs',
          about: 'For the chart under Activity.',
          next: new Date(Date.now() + 3_600_000),
          waiting: 0,
          active: 0,
          failed: 0,
          ...queue,
        },
      ]}
      run={async (state) => state}
    />,
  )
    .replace(/^.*<tbody>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

it('a job’s next run is shown unless the job runs every minute', () => {
  expect(rowOf({ slot: {} })).toContain('Every minute 0')
  expect(rowOf({ slot: { minute: 7 } })).toMatch(/Every hour in .* 0/)
  expect(rowOf({ slot: { hour: 3, minute: 7 } })).toMatch(/Every day in .* 0/)
})

it('a job’s failures are shown next to its title', () => {
  expect(rowOf({ failed: 2 })).toContain('Count waiting jobs 2 failed')
  expect(rowOf({})).not.toContain('failed')
})
