import { settleBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'

/** The part of a batch writer's state that this module uses (lib/base/process/tally.ts). */
type State = { timer: NodeJS.Timeout | undefined }

/**
 * Returns the state of each batch writer that this process has used, and a function that writes its values.
 */
function settlings(): { state: State; now: () => Promise<unknown> }[] {
  const { __latchkey: store = new Map<string, unknown>() } = globalThis as {
    __latchkey?: Map<string, unknown>
  }
  const tasks = remember('shutdown-tasks', () => new Map<string, { run: () => Promise<unknown> }>())
  return [...store].flatMap(([key, state]) => {
    const run = key.startsWith('settling ') ? tasks.get(key.slice('settling '.length))?.run : undefined
    // A failed write does not affect the test, so ignore its error.
    return run ? [{ state: state as State, now: () => run().catch(() => undefined) }] : []
  })
}

/**
 * Calls a function while timed writes of values in memory are disabled, because a timer would write them at
 * an unpredictable time. Earlier values are written before the function starts, and the function's values are
 * written after it ends. Immediate writes by the function are not affected, and neither are batch writers
 * that the process uses for the first time.
 */
export async function withoutTimedWrites<T>(work: () => Promise<T>): Promise<T> {
  await settleBackgroundWork()
  for (const { now } of settlings()) await now()
  const held = settlings()
  // A writer starts a timer only if its state contains none, so this timer disables timed writes.
  const never = setTimeout(() => undefined, 2 ** 31 - 1).unref()
  for (const { state } of held) state.timer = never
  try {
    return await work()
  } finally {
    clearTimeout(never)
    for (const { now } of held) await now()
  }
}
