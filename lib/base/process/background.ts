import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '@/lib/base/log/log'
import { scopedValue } from '@/lib/base/log/request-scope'
import { remember } from './remember'

/** Work that no request waits for. One set per process, although Next bundles this module a second time. */
const running = () =>
  remember('background-work', () => {
    onShutdown('background work', settleBackgroundWork)
    return new Set<Promise<void>>()
  })

/** Work that starts once the surrounding work has succeeded; undefined after that has ended. */
type DeferredWork = { starts: (() => void)[] | undefined }

const held = scopedValue<DeferredWork>('held-background-work')

/**
 * Runs work that the caller neither waits for nor fails with, such as sending an email. The process finishes it before it ends.
 * Inside `holdBackgroundWork`, it starts once that has succeeded.
 * @param name for the log, if it fails
 */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const starts = held.now()?.starts
  if (starts) starts.push(() => start(name, work))
  else start(name, work)
}

/**
 * Runs work that can fail and be retried, such as a transaction. Background work that it requests starts afterwards, and only if
 * it succeeds.
 * @throws what `work` throws
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

/** Resolves when no background work is left. */
export async function settleBackgroundWork(): Promise<void> {
  while (running().size > 0) await Promise.all(running())
}

/** Asks the platform not to freeze this process before some work is done. */
type KeepAwake = (work: Promise<unknown>) => void

const platform = () => remember<{ keeper?: KeepAwake }>('keep-awake', () => ({}))

/**
 * Declares this process a function on demand. From then on, delayed work runs directly after the response, because nothing runs
 * between two requests. See ADR 0037.
 * @param keeper asks the platform to wait for a promise
 */
export const setKeepAwake = (keeper: KeepAwake): void => {
  platform().keeper = keeper
}

/** Returns whether this process can be frozen after a response. */
export const isFrozenWhenIdle = (): boolean => platform().keeper !== undefined

/** Keeps the process from being frozen until some work is done. Does nothing where processes are not frozen. */
export const keepAwake = (work: Promise<unknown>): void => platform().keeper?.(work)

/**
 * Repeats work, with a pause after each run. Does not keep the process alive. A failed run is logged.
 * @param name for the log
 * @param pauseMs the pause, in milliseconds
 * @returns stops immediately: a run under way is not waited for, and its failure is not logged
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

/** One list per process, although Next bundles this module a second time. */
const tasks = () => remember('shutdown-tasks', () => new Map<string, Task>())

const state = () => remember('shutdown-state', () => ({ begun: false, hearers: new Set<() => void>() }))

/** Declares that this process is shutting down: /readyz responds with 503 from now on. */
export const beginShutdown = (): void => {
  state().begun = true
  for (const listener of state().hearers) listener()
}

/**
 * Registers a listener for the start of the shutdown, at which open streams must end.
 * @param hear called once
 * @returns removes the listener
 */
export function onShutdownBegun(hear: () => void): () => void {
  state().hearers.add(hear)
  return () => state().hearers.delete(hear)
}

/** Returns whether `beginShutdown` was called in this process. */
export const isShuttingDown = (): boolean => state().begun

/**
 * Registers work for the end of the process, such as writing counters to the database or closing connection pools.
 * @param name unique in the product; registering it again replaces the work and keeps its place
 * @param run called once, after the last response; tasks run in reverse order of registration
 */
export function onShutdown(name: string, run: () => Promise<unknown>): void {
  tasks().set(name, { name, run })
}

/**
 * Runs every registered task. A task that fails or hangs is logged and does not prevent the others: each can use half of the
 * remaining time.
 * @param atMostMs the limit for all of them, in milliseconds
 */
export async function runShutdownTasks(atMostMs = 5_000): Promise<void> {
  const end = performance.now() + atMostMs
  const pending = [...tasks().values()].reverse()
  tasks().clear()
  for (const { name, run } of pending) await runWithTimeout((end - performance.now()) / 2, name, run)
}

/**
 * Runs one step of the shutdown with a time limit. Logs a failure or timeout and returns.
 * @param name for the log
 */
export async function runWithTimeout(ms: number, name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await withTimeout(ms, run())
  } catch (error) {
    log.warn('a shutdown step failed', { name, error })
  }
}

/**
 * Waits for work with a time limit. The work itself continues after that, and its errors are ignored.
 * @param ms the limit, in milliseconds
 * @throws Error at the limit; what the work throws before it
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
