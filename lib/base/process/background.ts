import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '@/lib/base/log/log'
import { scopedValue } from '@/lib/base/log/request-scope'
import { remember } from './remember'

/**
 * Returns the background work that is running. The first call registers a shutdown task that waits for this
 * work. A module variable would exist twice, because Next bundles a second copy of this module.
 */
const running = () =>
  remember('background-work', () => {
    onShutdown('background work', settleBackgroundWork)
    return new Set<Promise<void>>()
  })

/**
 * Background work that starts when the surrounding work has succeeded. `starts` contains a function that
 * starts each piece of work, and is undefined after the surrounding work has ended.
 */
type DeferredWork = { starts: (() => void)[] | undefined }

const held = scopedValue<DeferredWork>('held-background-work')

/**
 * Runs work, such as sending an email, that the caller does not wait for. A failure is logged and does not
 * affect the caller. Before the process ends, it waits for the work (`runShutdownTasks`). Inside
 * `holdBackgroundWork`, the work starts after the surrounding work has succeeded.
 * @param name the name for the log if the work fails
 */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const starts = held.now()?.starts
  if (starts) starts.push(() => start(name, work))
  else start(name, work)
}

/**
 * Runs work that can fail and be retried, such as a transaction. Background work that this work requests
 * starts only after this work has succeeded, and is discarded if this work fails.
 * @throws the error that `work` throws
 */
export async function holdBackgroundWork<T>(work: () => Promise<T>): Promise<T> {
  const starts: (() => void)[] = []
  const own: DeferredWork = { starts }
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
    (error) => log.error('background work failed', { name, error }),
  )
  running().add(task)
  keepAwake(task)
  task.finally(() => running().delete(task))
}

/** Resolves when all background work has ended. */
export async function settleBackgroundWork(): Promise<void> {
  while (running().size > 0) await Promise.all(running())
}

/** A function that makes the platform keep this process running until a promise settles. */
type KeepAwake = (work: Promise<unknown>) => void

const platform = () => remember<{ keeper?: KeepAwake }>('keep-awake', () => ({}))

/**
 * Declares this process a serverless function. From then on, writes that are otherwise delayed start
 * immediately (`settleLater`), because nothing runs between requests. See ADR 0037.
 * @param keeper a function that makes the platform wait for a promise
 */
export const setKeepAwake = (keeper: KeepAwake): void => {
  platform().keeper = keeper
}

/** Returns whether this process can be frozen after a response. */
export const isFrozenWhenIdle = (): boolean => platform().keeper !== undefined

/**
 * Keeps the process from being frozen until the given work is done. Does nothing on platforms that do not
 * freeze processes.
 */
export const keepAwake = (work: Promise<unknown>): void => platform().keeper?.(work)

/**
 * Repeats work with a pause after each run. Failed runs are logged. The repetition does not keep the process
 * alive.
 * @param name the name for the log
 * @param pauseMs the length of the pause, in milliseconds; by default, 1,000
 * @returns a function that stops the repetition immediately, without waiting for a current run or logging its
 * failure
 */
export function repeat(name: string, run: () => Promise<unknown>, pauseMs = 1_000): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const once = async () => {
    try {
      await run()
    } catch (error) {
      if (!stopped) log.warn('repeated work failed', { name, error })
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

/**
 * Returns the process's shutdown tasks. A module variable would exist twice, because Next bundles a second
 * copy of this module.
 */
const tasks = () => remember('shutdown-tasks', () => new Map<string, Task>())

const state = () => remember('shutdown-state', () => ({ begun: false, hearers: new Set<() => void>() }))

/**
 * Declares that this process is shutting down, and calls the listeners of `onShutdownBegun`. From then on,
 * /readyz returns 503.
 */
export const beginShutdown = (): void => {
  state().begun = true
  for (const listener of state().hearers) listener()
}

/**
 * Registers a listener that is called when the shutdown begins, for example to end an open stream.
 * @param hear the listener, which is called once
 * @returns a function that removes the listener
 */
export function onShutdownBegun(hear: () => void): () => void {
  state().hearers.add(hear)
  return () => state().hearers.delete(hear)
}

/** Returns whether `beginShutdown` was called in this process. */
export const isShuttingDown = (): boolean => state().begun

/**
 * Registers work for the end of the process, such as writing counters to the database or closing connection
 * pools.
 * @param name a name that is unique in the codebase; registering it again replaces the work and keeps its
 * position
 * @param run the work, called once after the last response; tasks run in reverse order of registration
 */
export function onShutdown(name: string, run: () => Promise<unknown>): void {
  tasks().set(name, { name, run })
}

/**
 * Runs all registered shutdown tasks and removes them. If a task fails or exceeds its time limit, logs this
 * and runs the other tasks. Each task can use up to half of the remaining time.
 * @param atMostMs the time limit for all tasks together, in milliseconds
 */
export async function runShutdownTasks(atMostMs = 5_000): Promise<void> {
  const end = performance.now() + atMostMs
  const pending = [...tasks().values()].reverse()
  tasks().clear()
  for (const { name, run } of pending) await runWithTimeout((end - performance.now()) / 2, name, run)
}

/**
 * Runs one step of the shutdown with a time limit. If the step fails or times out, logs the error and
 * returns.
 * @param name the name for the log
 */
export async function runWithTimeout(ms: number, name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await withTimeout(ms, run())
  } catch (error) {
    log.warn('a shutdown step failed', { name, error })
  }
}

/**
 * Waits for work with a time limit and returns the work's result. After the limit, the work continues and its
 * errors are ignored.
 * @param ms the time limit, in milliseconds
 * @throws the work's error, or Error when the time limit is reached
 */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const overdue = async (): Promise<never> => {
    await sleep(Math.max(ms, 0), undefined, { signal: done.signal })
    throw new Error('the time limit was exceeded')
  }
  try {
    return await Promise.race([work, overdue()])
  } finally {
    done.abort()
  }
}
