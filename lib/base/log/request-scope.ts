import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** What is known of the work under way: the name of its request, and what `scopedValue` adds. */
type Scope = { id?: string; [value: string]: unknown }

const key = Symbol.for('latchkey.request-scope')
const shared = globalThis as { [key]?: AsyncLocalStorage<Scope> }

/** One per process, although Next bundles this module a second time; lib/base/process/remember itself writes to the log. */
const scopes = (): AsyncLocalStorage<Scope> => {
  shared[key] ??= new AsyncLocalStorage()
  return shared[key]
}

/** A name for a request: 20 characters, 80 random bits. */
export function newRequestId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(24)
}

/** Does the work of a request; whatever it calls, waits for or leaves to run knows the request's name. See ADR 0053. */
export const inRequest = <Result>(id: string, work: () => Result): Result => scopes().run({ id }, work)

/** The same for what goes on after the caller, where nobody can be handed the work: a subscriber of Node's own channels. */
export const enterRequest = (id: string): void => scopes().enterWith({ id })

/** Does something that belongs to no request, though one set it off: a timer that outlives it. */
export const outsideRequests = <Result>(work: () => Result): Result => scopes().exit(work)

/** The name of the request that is being answered; undefined outside of any. */
export const requestId = (): string | undefined => scopes().getStore()?.id

/**
 * A value that belongs to the work under way, and to whatever that calls or waits for. All of them lie in the one AsyncLocalStorage
 * that names requests: each further one has Node copy a reference at every promise of every request.
 * @param name unique in the product
 */
export const scopedValue = <Value>(name: string) => ({
  /** Does some work with the value. */
  run: <Result>(value: Value, work: () => Result): Result =>
    scopes().run({ ...scopes().getStore(), [name]: value }, work),
  /** The value; undefined outside of such work. */
  now: (): Value | undefined => scopes().getStore()?.[name] as Value | undefined,
})

const keyOfTraceName = Symbol.for('latchkey.trace-name')
const sharedOfTraceName = globalThis as { [keyOfTraceName]?: () => string | undefined }

/** Says how the trace is found that some work belongs to; entries name it from then on, as `trace_id`. */
export const nameTracesBy = (read: () => string | undefined): void => {
  sharedOfTraceName[keyOfTraceName] = read
}

/** The trace that the work under way belongs to; undefined outside of any. */
export const traceName = (): string | undefined => sharedOfTraceName[keyOfTraceName]?.()
