import type PgBoss from 'pg-boss'
import { jobDuration } from '@/lib/base/telemetry/metrics'
import { recorder, step } from '@/lib/base/telemetry/telemetry'

type Work = (...all: unknown[]) => unknown
type Handler = (jobs: unknown) => Promise<unknown>

/** Measures the work of every queue that is taken up from here on; each time it is done begins a trace. */
export function watchJobs(boss: PgBoss): void {
  if (!recorder()) return
  const work = boss.work.bind(boss) as Work
  const watched: Work = (queue, ...rest) => {
    const handler = rest.pop() as Handler
    return work(queue, ...rest, (jobs: unknown) => watchJob(String(queue), () => handler(jobs)))
  }
  boss.work = watched as typeof boss.work
}

async function watchJob(queue: string, run: () => Promise<unknown>): Promise<unknown> {
  const since = performance.now()
  const note = (outcome: string) => jobDuration.record((performance.now() - since) / 1000, { queue, outcome })
  try {
    const result = await step({ name: `job ${queue}`, kind: 'consumer', labels: { queue } }, run)
    note('done')
    return result
  } catch (error) {
    note('failed')
    throw error
  }
}
