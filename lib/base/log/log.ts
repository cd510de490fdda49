import { format, stripVTControlCharacters } from 'node:util'
import pino, { type DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import { originOf, type PlainError, plainError, redactSecrets } from './plain-error'
import { outsideRequests, requestId, traceName } from './request-scope'

const key = Symbol.for('latchkey.log')
const shared = globalThis as { [key]?: OpenLog | undefined }

/**
 * Returns the log, and opens it if needed. The whole process shares it, even though Next bundles a second
 * copy of this module.
 */
const current = (): OpenLog => shared[key] ?? print(1)

/**
 * Opens and returns this process's log. When the process exits, writes the pending summaries.
 * @param descriptor the file descriptor: 1 (standard output) or 2 (standard error)
 */
function print(descriptor: number): OpenLog {
  // Register this listener before the destination's own listener, which closes the destination.
  process.once('exit', () => shared[key]?.settle())
  const opened = openLog(destination(descriptor), leastLevel())
  shared[key] = opened
  return opened
}

/**
 * Makes this process write its log to standard error, for programs that print their results to standard
 * output.
 */
export const logToStandardError = (): void => void print(2)

/**
 * Returns the lowest level that is logged: LOG_LEVEL, or `info` if the variable is not set or invalid. Reads
 * the variable directly, because entries can be written before the settings are read. lib/base/config/env.ts
 * validates the value.
 */
const leastLevel = (): Level => levels.find((level) => level === process.env.LOG_LEVEL) ?? 'info'

/** Returns whether the log is formatted for a terminal. */
export const isLogPretty = (to: { isTTY?: boolean } = process.stdout): boolean => to.isTTY === true

function destination(descriptor: number): DestinationStream {
  const stream = descriptor === 1 ? process.stdout : process.stderr
  if (!isLogPretty(stream)) return pino.destination(descriptor)
  return pretty({
    destination: descriptor,
    sync: true,
    // Print each entry on one line, except for the stack of a defect.
    singleLine: true,
    colorize: stream.isTTY === true,
    translateTime: 'HH:MM:ss',
    ignore: 'pid,hostname',
  })
}

const at =
  (level: Level) =>
  (message: string, fields: LogFields = {}): void =>
    current().write(level, message, fields)

/**
 * Writes a log entry for instance admins. The message is a fixed sentence, so that equal entries can be
 * counted. Variable parts belong in the fields. The message and the fields must not contain a token, a
 * secret, an email address, a full IP address, a query string, or a GraphQL query.
 * - `error`: a defect in Latchkey, with its stack.
 * - `warn`: a dependency fails and might recover.
 * - `info`: an event that an instance admin might look up later.
 * - `debug`: details for one investigation.
 */
export const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

/**
 * Redirects log entries of all levels, for tests.
 * @returns a function that restores the previous log
 */
export function divertLog(destination: DestinationStream): () => void {
  const before = shared[key]
  shared[key] = openLog(destination, 'debug')
  return () => {
    shared[key]?.settle()
    shared[key] = before
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

/** The fields of a log entry: plain values by name, and a thrown value as `error`. */
export type LogFields = Record<string, unknown> & {
  error?: unknown
  /**
   * The object that the message is about, such as a job or a limit. Entries with different names are not
   * combined.
   */
  name?: string
}

type Entry = { level: Level; message: string; fields: Record<string, unknown> }

/** An open log. */
export type OpenLog = {
  write: (level: Level, message: string, fields: LogFields) => void
  /** Writes the pending summaries. */
  settle: () => void
}

/**
 * Opens a log, which combines repeated warnings and errors.
 * @param destination the stream that receives whole lines of JSON
 * @param level the lowest level that is written
 */
function openLog(destination: DestinationStream, level: Level): OpenLog {
  const logger = pino(
    {
      base: null,
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  const sums = summarizeRepeats<Entry>(({ level, message, fields }, repeated, seconds) =>
    logger[level]({ ...fields, repeated, seconds }, message),
  )
  return {
    write(level, message, { error, ...rest }) {
      if (!logger.isLevelEnabled(level)) return
      const fields: Record<string, unknown> = rest
      // Include the stack only for defects.
      if (error !== undefined) fields.error = plainError(error, level === 'error')
      const troubles = level === 'warn' || level === 'error'
      if (
        troubles &&
        !sums.isFirst(kindOf(message, rest.name, error), { level, message, fields: summed(fields) })
      )
        return
      logger[level]({ ...scope(), ...fields }, message)
    },
    settle: sums.settle,
  }
}

/** Returns the current request ID and trace ID, if any, as fields of an entry. */
function scope(): Record<string, string> {
  const request = requestId()
  const trace = traceName()
  return { ...(request ? { requestId: request } : {}), ...(trace ? { trace_id: trace } : {}) }
}

/**
 * Returns the kind of an entry. Entries of the same kind are combined: they have the same message and name,
 * and errors of the same class with the same code. Errors without a code must have been thrown at the same
 * place.
 */
function kindOf(message: string, name: string | undefined, error: unknown): string {
  const { name: kind, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return JSON.stringify([message, name, kind, code ?? originOf(error)])
}

/**
 * Returns the fields that a summary copies from the first entry: the name, and the error without its stack.
 * Other fields can differ in each repeated entry.
 */
const summed = ({ name, error }: Record<string, unknown>): Record<string, unknown> => ({
  ...(name === undefined ? {} : { name }),
  ...(error === undefined ? {} : { error: { ...(error as PlainError), stack: undefined } }),
})

const longest = 500

/**
 * Turns libraries' console output and Node's messages (warnings, uncaught errors that end the process) into
 * log entries. Otherwise, this output would not be lines of JSON, and Node would print all properties of an
 * error. See ADR 0042.
 * @param said whether to redirect `console.log` too; must be false in a process that prints to a terminal
 * with `console.log`
 */
export function divertConsole({ log: said }: { log: boolean }): void {
  if (said) console.log = (...said) => write('debug', said)
  console.error = (...said) => write('error', said)
  console.warn = (...said) => write('warn', said)
  console.info = (...said) => write('info', said)
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn('Node warns', { error: warning }))
  process.on('uncaughtException', (error) => {
    log.error('the process ends because of an uncaught error', { error })
    process.exit(1)
  })
}

function write(level: Level, said: unknown[]): void {
  const error = said.find((each) => each instanceof Error)
  // Ignore errors with a digest, because Next also reports them through instrumentation.ts.
  if (error !== undefined && 'digest' in error) return
  const words = said.filter((each) => typeof each !== 'object')
  const text = redactSecrets(stripVTControlCharacters(format(...words)).slice(0, longest)).trim()
  log[level]('a library wrote to the console', { name: text, ...(error === undefined ? {} : { error }) })
}

/** The period over which equal entries are combined, in milliseconds. */
const windowMs = 30_000

/**
 * The maximum number of kinds that are tracked. Entries of further kinds are written without being combined.
 */
const mostKinds = 1_000

/**
 * Returns functions that count repeated entries. The caller writes the first entry of a kind immediately.
 * While entries of this kind are repeated, the number of repeats is written every 30 seconds.
 * @param writeSummary writes the summary of one kind
 */
export function summarizeRepeats<Entry>(
  writeSummary: (entry: Entry, repeated: number, seconds: number) => void,
) {
  const kinds = new Map<string, { entry: Entry; since: number; repeated: number }>()

  function report(kind: string): void {
    const known = kinds.get(kind)
    if (!known || known.repeated === 0) {
      kinds.delete(kind)
      return
    }
    writeSummary(known.entry, known.repeated, Math.round((Date.now() - known.since) / 1000))
    Object.assign(known, { repeated: 0, since: Date.now() })
    wait(kind)
  }

  // Run the timer outside the context of the first entry's request, which has ended when the timer fires.
  const wait = (kind: string) => outsideRequests(() => setTimeout(() => report(kind), windowMs).unref())

  return {
    /**
     * Counts an entry unless it is the first of its kind or its kind is not tracked (`mostKinds`).
     * @returns true if the caller must write the entry now, because the entry was not counted
     */
    isFirst(kind: string, entry: Entry): boolean {
      const known = kinds.get(kind)
      if (known) known.repeated++
      else if (kinds.size < mostKinds) {
        kinds.set(kind, { entry, since: Date.now(), repeated: 0 })
        wait(kind)
      }
      return known === undefined
    },
    /** Writes all pending summaries and stops tracking all kinds. */
    settle(): void {
      for (const { entry, repeated, since } of kinds.values())
        if (repeated > 0) writeSummary(entry, repeated, Math.round((Date.now() - since) / 1000))
      kinds.clear()
    },
  }
}
