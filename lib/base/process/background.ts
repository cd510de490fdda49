import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '@/lib/base/log/log'
import { scopedValue } from '@/lib/base/log/request-scope'
import { remember } from './remember'

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

/** Asks the platform not to freeze this process before some work is done. */
type Keeper = (work: Promise<unknown>) => void

const platform = () => remember<{ keeper?: Keeper }>('keep-awake', () => ({}))

/**
 * Says that this process is a function on demand, and how its platform is asked to let it finish. What would be done a while
 * after an answer is done right after it from then on, because nothing runs between two requests. See decision 129.
 */
export const setKeeper = (keeper: Keeper): void => {
  platform().keeper = keeper
}

/** Whether this process may be frozen as soon as it has answered. */
export const isFrozenWhenIdle = (): boolean => platform().keeper !== undefined

/** Keeps the process from being frozen until some work is done. Nothing needs to be done where it is not frozen. */
export const keepAwake = (work: Promise<unknown>): void => platform().keeper?.(work)

/**
 * Does something again and again, a while after the last time ended, for as long as something else keeps the process.
 * One time that fails is told in the log.
 * @param name for the log
 * @param pauseMs how long that is, in milliseconds
 * @returns stops it at once: what is under way is neither waited for, nor followed by another time, nor told about
 */
export function repeat(name: string, run: () => Promise<unknown>, pauseMs = 1_000): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const once = async () => {
    try {
      await run()
    } catch (error) {
      if (!stopped) log.warn('work that is repeated failed', { name, error })
    }
    if (!stopped) timer = setTimeout(once, pauseMs).unref()
  }
  timer = setTimeout(once, 0).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

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

/**
 * Waits for some work, but not for ever. The work itself goes on, and what it throws later concerns nobody.
 * @param ms how long at most, in milliseconds
 * @throws Error when it takes longer; what the work throws
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const overdue = async (): Promise<never> => {
    await sleep(Math.max(ms, 0), undefined, { signal: done.signal })
    throw new Error('it was not done in time')
  }
  try {
    return await Promise.race([work, overdue()])
  } finally {
    done.abort()
  }
}
