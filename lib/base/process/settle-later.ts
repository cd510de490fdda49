import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { isFrozenWhenIdle, keepAwake } from './keep-awake'
import { remember } from './remember'
import { onShutdown } from './shutdown'

/** Writes in batches what requests only note in memory. */
export type Settling = {
  /**
   * Writes a while from now, together with whatever else is noted until then. A function, which may be frozen until then,
   * writes at once, together with what is noted while it writes what was noted before.
   */
  soon: () => void
  /** Writes now; resolves when all that was noted before is written. @throws what writing throws */
  now: () => Promise<void>
}

/**
 * Defines how something that is noted in memory reaches the database: after a while, when somebody wants to read it, and
 * at the end of the process. One writing at a time; one that fails is told in the log and tried again after the same while.
 * @param name unique in the product, and for the log
 * @param afterMs how long noted things may wait, in milliseconds
 * @param write writes all that is noted, and nothing when nothing is; what it cannot write it leaves noted or gives up
 */
export function settleLater(name: string, afterMs: number, write: () => Promise<void>): Settling {
  type State = { timer: NodeJS.Timeout | undefined; last: Promise<void> }
  const state = () =>
    remember<State>(`settling ${name}`, () => {
      onShutdown(name, now)
      return { timer: undefined, last: Promise.resolve() }
    })

  const tell = (error: unknown): void =>
    log.warn('what was noted in memory could not be written', { name, error })

  function soon(): void {
    if (isFrozenWhenIdle()) {
      keepAwake(now().catch(tell))
      return
    }
    // Many requests share it, so that it belongs to none.
    state().timer ??= outsideRequests(() => setTimeout(settle, afterMs).unref())
  }

  const settle = () =>
    now().catch((error) => {
      tell(error)
      soon()
    })

  function now(): Promise<void> {
    const current = state()
    clearTimeout(current.timer)
    current.timer = undefined
    // Whoever settles in order to read waits for what is being written as well; that it failed is told to its own caller.
    current.last = current.last.catch(() => undefined).then(write)
    return current.last
  }

  return { soon, now }
}
