import { log } from '@/lib/base/log/log'
import { keepAwake } from './keep-awake'
import { remember } from './remember'
import { onShutdown } from './shutdown'

/** Work under way that no request waits for; one set per process, although Next bundles this module a second time. */
const running = () =>
  remember('background-work', () => {
    onShutdown('background work', settleBackgroundWork)
    return new Set<Promise<void>>()
  })

/**
 * Does something without making the caller wait or fail: sending a mail, say. The process finishes it before it ends.
 * @param name for the log, should it fail
 */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const task = work().then(
    () => {},
    (error) => log.error('work in the background failed', { name, error }),
  )
  running().add(task)
  keepAwake(task)
  task.finally(() => running().delete(task))
}

/** Resolves when nothing is under way any more. */
export async function settleBackgroundWork(): Promise<void> {
  while (running().size > 0) await Promise.all(running())
}
