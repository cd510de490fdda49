import { remember } from './remember'

type Task = { name: string; run: () => Promise<unknown> }

/** One list per process, although Next bundles this module a second time. */
const tasks = () => remember('shutdown-tasks', () => new Map<string, Task>())

/**
 * Registers work for the end of the process: counters kept in memory that must reach the database, pools to close.
 * @param name unique in the product; the same name registered again replaces the work and keeps its place
 * @param run called once, after the last request has been answered; tasks run in the reverse order of registration
 */
export function onShutdown(name: string, run: () => Promise<unknown>): void {
  tasks().set(name, { name, run })
}

/** Runs every registered task; one that fails is reported and does not keep the others from running. */
export async function runShutdownTasks(): Promise<void> {
  const pending = [...tasks().values()].reverse()
  tasks().clear()
  for (const task of pending) {
    try {
      await task.run()
    } catch (error) {
      console.error(`while stopping, ${task.name} failed: ${error instanceof Error ? error.message : error}`)
    }
  }
}
