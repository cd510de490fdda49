import { settleBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'

/** What lib/base/process/tally.ts keeps of one settling. */
type State = { timer: NodeJS.Timeout | undefined }

/** Every settling that something was noted for in this process, with what writes it now. */
function settlings(): { state: State; now: () => Promise<unknown> }[] {
  const { __latchkey: store = new Map<string, unknown>() } = globalThis as {
    __latchkey?: Map<string, unknown>
  }
  const tasks = remember('shutdown-tasks', () => new Map<string, { run: () => Promise<unknown> }>())
  return [...store].flatMap(([key, state]) => {
    const run = key.startsWith('settling ') ? tasks.get(key.slice('settling '.length))?.run : undefined
    // What could not be written is told in the log, and is not what this is about.
    return run ? [{ state: state as State, now: () => run().catch(() => undefined) }] : []
  })
}

/**
 * Does something while nothing is written that earlier requests have noted, nor what is noted meanwhile: a timer would write it at a
 * moment that nobody can foresee. What the work itself has written at once is written.
 */
export async function holdSettling<T>(work: () => Promise<T>): Promise<T> {
  await settleBackgroundWork()
  for (const { now } of settlings()) await now()
  const held = settlings()
  // Where a timer is set, nobody sets another.
  const never = setTimeout(() => undefined, 2 ** 31 - 1).unref()
  for (const { state } of held) state.timer = never
  try {
    return await work()
  } finally {
    clearTimeout(never)
    for (const { now } of held) await now()
  }
}
