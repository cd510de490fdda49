import { log } from '@/lib/base/log/log'
import { remember } from './remember'
import { within } from './within'

type Task = { name: string; run: () => Promise<unknown> }

/** One list per process, although Next bundles this module a second time. */
const tasks = () => remember('shutdown-tasks', () => new Map<string, Task>())

const state = () => remember('shutdown-state', () => ({ begun: false, hearers: new Set<() => void>() }))

/** Says that this process is about to end: /readyz answers so from now on. */
export const beginShutdown = (): void => {
  state().begun = true
  for (const hear of state().hearers) hear()
}

/**
 * Tells somebody that this process is about to end, while it still answers: whoever holds an answer open ends it then.
 * @param hear called once
 * @returns tells them no more
 */
export function onShutdownBegun(hear: () => void): () => void {
  state().hearers.add(hear)
  return () => state().hearers.delete(hear)
}

/** Whether `beginShutdown` was called in this process. */
export const isShuttingDown = (): boolean => state().begun

/**
 * Registers work for the end of the process: counters kept in memory that must reach the database, pools to close.
 * @param name unique in the product; the same name registered again replaces the work and keeps its place
 * @param run called once, after the last request has been answered; tasks run in the reverse order of registration
 */
export function onShutdown(name: string, run: () => Promise<unknown>): void {
  tasks().set(name, { name, run })
}

/**
 * Runs every registered task; one that fails is reported and does not keep the others from running, and neither does one
 * that gets no answer: each may take half of the time that is left.
 * @param atMostMs how long all of them may take
 */
export async function runShutdownTasks(atMostMs = 5_000): Promise<void> {
  const end = performance.now() + atMostMs
  const pending = [...tasks().values()].reverse()
  tasks().clear()
  for (const { name, run } of pending) await finishWithin((end - performance.now()) / 2, name, run)
}

/**
 * Does one step of the end of the process, and goes on after a while whether it is done or not. What keeps it is reported.
 * @param name for the log
 */
export async function finishWithin(ms: number, name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await within(ms, run())
  } catch (error) {
    log.warn('a step of stopping failed', { name, error })
  }
}
