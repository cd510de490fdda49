import { settleBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'

/** The state of a batch writer in lib/base/process/tally.ts. */
type State = { timer: NodeJS.Timeout | undefined }

/** Returns all batch writers that this process has used. */
function settlings(): { state: State; now: () => Promise<unknown> }[] {
  const { __latchkey: store = new Map<string, unknown>() } = globalThis as {
    __latchkey?: Map<string, unknown>
  }
  const tasks = remember('shutdown-tasks', () => new Map<string, { run: () => Promise<unknown> }>())
  return [...store].flatMap(([key, state]) => {
    const run = key.startsWith('settling ') ? tasks.get(key.slice('settling '.length))?.run : undefined
    // A failed write is logged and does not affect the test.
    return run ? [{ state: state as State, now: () => run().catch(() => undefined) }] : []
  })
}

/**
 * Calls a function while timed writes of values in memory are disabled, because a timer would write them at an unpredictable
 * time. Immediate writes by the function are not affected.
 */
export async function withoutTimedWrites<T>(work: () => Promise<T>): Promise<T> {
  await settleBackgroundWork()
  for (const { now } of settlings()) await now()
  const held = settlings()
  // A writer starts a timer only if none is pending, so this timer disables timed writes.
  const never = setTimeout(() => undefined, 2 ** 31 - 1).unref()
  for (const { state } of held) state.timer = never
  try {
    return await work()
  } finally {
    clearTimeout(never)
    for (const { now } of held) await now()
  }
}
