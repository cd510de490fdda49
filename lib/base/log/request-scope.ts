import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** The context of the current work: the request ID, and values that `scopedValue` adds. */
type Scope = { id?: string; [value: string]: unknown }

const key = Symbol.for('latchkey.request-scope')
const shared = globalThis as { [key]?: AsyncLocalStorage<Scope> }

/**
 * One per process: Next bundles this module a second time. lib/base/process/remember.ts uses the log itself.
 */
const scopes = (): AsyncLocalStorage<Scope> => {
  shared[key] ??= new AsyncLocalStorage()
  return shared[key]
}

/** Returns a request ID: 20 characters, 80 random bits. */
export function newRequestId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(24)
}

/** Runs work with a request ID as its context, including everything that it starts. See ADR 0042. */
export const inRequest = <Result>(id: string, work: () => Result): Result => scopes().run({ id }, work)

/** Sets the request ID for the rest of the current call, for subscribers of Node's diagnostics channels. */
export const enterRequest = (id: string): void => scopes().enterWith({ id })

/** Runs work without the context of a request, such as a timer that outlives it. */
export const outsideRequests = <Result>(work: () => Result): Result => scopes().exit(work)

/** Returns the current request ID; undefined outside of requests. */
export const requestId = (): string | undefined => scopes().getStore()?.id

/**
 * Defines a context value for the current work and everything that it starts. All values share one
 * AsyncLocalStorage, because each further one costs a copied reference per promise.
 * @param name unique in the product
 */
export const scopedValue = <Value>(name: string) => ({
  /** Runs work with the value. */
  run: <Result>(value: Value, work: () => Result): Result =>
    scopes().run({ ...scopes().getStore(), [name]: value }, work),
  /** Returns the value; undefined outside of such work. */
  now: (): Value | undefined => scopes().getStore()?.[name] as Value | undefined,
})

const keyOfTraceName = Symbol.for('latchkey.trace-name')
const sharedOfTraceName = globalThis as { [keyOfTraceName]?: () => string | undefined }

/** Sets the function that returns the current trace ID. Log entries then contain it as `trace_id`. */
export const nameTracesBy = (read: () => string | undefined): void => {
  sharedOfTraceName[keyOfTraceName] = read
}

/** Returns the current trace ID; undefined outside of a trace. */
export const traceName = (): string | undefined => sharedOfTraceName[keyOfTraceName]?.()
