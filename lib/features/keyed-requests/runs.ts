import { AppError } from '@/lib/base/errors/app-error'
import { scopedValue } from '@/lib/base/log/request-scope'
import type { EventListener } from '@/lib/features/audit/event-listeners'

/** One attempt at a keyed request. */
export type Run = { hash: Buffer; id: string }

const runs = scopedValue<Run>('keyed-run')

/** Does the work of a keyed request: what it changes is known to be of this attempt. */
export const inRun = <Result>(run: Run, work: () => Result): Result => runs.run(run, work)

/**
 * Hears of every recorded event, and notes in the transaction of the change that the keyed request which makes it has
 * changed something. An attempt that was given up meanwhile, after a time-out, changes nothing any more.
 * @throws AppError CONFLICT, which undoes the change
 */
export const noteChange: EventListener = async (tx) => {
  const run = runs.now()
  if (!run) return
  const noted = await tx.$executeRaw`
    UPDATE keyed_requests SET changed_at = COALESCE(changed_at, now())
     WHERE hash = ${Uint8Array.from(run.hash)} AND run = ${run.id}::uuid`
  if (noted === 0) throw new AppError('CONFLICT', 'The request was given up before it had changed anything.')
}
