import type PgBoss from 'pg-boss'
import { jobDuration } from '@/lib/base/telemetry/metrics'
import { recorder, step } from '@/lib/base/telemetry/telemetry'

type Work = (...all: unknown[]) => unknown
type Handler = (jobs: unknown) => Promise<unknown>

/** Measures each batch of jobs of the queues that `boss.work` starts after this call, in a trace of its own. */
export function watchJobs(boss: PgBoss): void {
  const work = boss.work.bind(boss) as Work
  const watched: Work = (queue, ...rest) => {
    const handler = rest.pop() as Handler
    return work(queue, ...rest, (jobs: unknown) => watchJob(String(queue), () => handler(jobs)))
  }
  boss.work = watched as typeof boss.work
}

/** Measures one job, or one batch, in a trace of its own. */
export async function watchJob<T>(queue: string, run: () => Promise<T>): Promise<T> {
  if (!recorder()) return run()
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
