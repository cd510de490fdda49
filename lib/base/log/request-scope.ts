import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** The context of the current work: the request ID, and the values that `scopedValue` adds. */
type Scope = { id?: string; [value: string]: unknown }

const key = Symbol.for('latchkey.request-scope')
const shared = globalThis as { [key]?: AsyncLocalStorage<Scope> }

/**
 * Returns the storage that the whole process shares. Next bundles a second copy of this module, so a module
 * variable would exist twice.
 */
const scopes = (): AsyncLocalStorage<Scope> => {
  shared[key] ??= new AsyncLocalStorage()
  return shared[key]
}

/** Returns a new request ID: 20 characters with 80 random bits. */
export function newRequestId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(24)
}

/**
 * Calls a function in the context of a request ID, which also applies to all work that the function starts.
 * See ADR 0042.
 */
export const inRequest = <Result>(id: string, work: () => Result): Result => scopes().run({ id }, work)

/** Sets the request ID for the rest of the current call, for subscribers of Node's diagnostics channels. */
export const enterRequest = (id: string): void => scopes().enterWith({ id })

/**
 * Calls a function outside the context of a request. Use it for work that outlives the request, such as a
 * timer.
 */
export const outsideRequests = <Result>(work: () => Result): Result => scopes().exit(work)

/** Returns the current request ID, or undefined outside of requests. */
export const requestId = (): string | undefined => scopes().getStore()?.id

/**
 * Defines a context value for the current work and everything that it starts. All values share one
 * AsyncLocalStorage, because each additional storage copies a reference for every promise.
 * @param name a name that is unique in the codebase
 */
export const scopedValue = <Value>(name: string) => ({
  /** Calls a function in a context in which the value is set. */
  run: <Result>(value: Value, work: () => Result): Result =>
    scopes().run({ ...scopes().getStore(), [name]: value }, work),
  /** Returns the value, or undefined outside of such a context. */
  now: (): Value | undefined => scopes().getStore()?.[name] as Value | undefined,
})

const keyOfTraceName = Symbol.for('latchkey.trace-name')
const sharedOfTraceName = globalThis as { [keyOfTraceName]?: () => string | undefined }

/**
 * Sets the function that returns the current trace ID. Log entries then contain the trace ID as `trace_id`.
 */
export const nameTracesBy = (read: () => string | undefined): void => {
  sharedOfTraceName[keyOfTraceName] = read
}

/** Returns the current trace ID, or undefined outside of a trace. */
export const traceName = (): string | undefined => sharedOfTraceName[keyOfTraceName]?.()
