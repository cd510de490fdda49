import { readQueues } from '@/lib/base/jobs/insert-jobs'
import { countFigure, gatheredFigures } from './count-figure'

/** Counts what waits in the queue now. Replicas share the queue, so one of them looks. */
export async function noteQueue(): Promise<void> {
  const queues = await readQueues()
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  countFigure('queue:waiting', waiting)
  countFigure('queue:looked')
  await gatheredFigures.now()
}
