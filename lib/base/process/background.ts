import { log } from '@/lib/base/log/log'
import { scopedValue } from '@/lib/base/log/request-scope'
import { keepAwake } from './keep-awake'
import { remember } from './remember'
import { onShutdown } from './shutdown'

/** Work under way that no request waits for; one set per process, although Next bundles this module a second time. */
const running = () =>
  remember('background-work', () => {
    onShutdown('background work', settleBackgroundWork)
    return new Set<Promise<void>>()
  })

/** What waits for the work that asked for it; nothing does any more once that has ended. */
type Held = { starts: (() => void)[] | undefined }

const held = scopedValue<Held>('held-background-work')

/**
 * Does something without making the caller wait or fail: sending a mail, say. The process finishes it before it ends.
 * Within `holdBackgroundWork` it begins once that has succeeded.
 * @param name for the log, should it fail
 */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const starts = held.now()?.starts
  if (starts) starts.push(() => start(name, work))
  else start(name, work)
}

/**
 * Does what may fail and be tried again, such as a transaction: what it starts in the background begins after it, and only where it
 * succeeds.
 * @throws what `work` throws
 */
export async function holdBackgroundWork<T>(work: () => Promise<T>): Promise<T> {
  const starts: (() => void)[] = []
  const own: Held = { starts }
  try {
    const result = await held.run(own, work)
    for (const begin of starts) begin()
    return result
  } finally {
    own.starts = undefined
  }
}

function start(name: string, work: () => Promise<unknown>): void {
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
