import { format, stripVTControlCharacters } from 'node:util'
import pino, { type DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import { originOf, type PlainError, plainError, withoutSecrets } from './plain-error'
import { outsideRequests, requestId, traceName } from './request-scope'

const key = Symbol.for('latchkey.log')
const shared = globalThis as { [key]?: OpenLog | undefined }

/** One per process, as request-scope.ts says. */
const current = (): OpenLog => shared[key] ?? print(1)

/** Opens the log of this process. @param descriptor 1 or 2 */
function print(descriptor: number): OpenLog {
  // Registered before the destination's own, which is closed then.
  process.once('exit', () => shared[key]?.settle())
  const opened = openLog(destination(descriptor), leastLevel())
  shared[key] = opened
  return opened
}

/** Has entries go to standard error, for a program whose standard output is what was asked for. */
export const logToStandardError = (): void => void print(2)

/** Entries are written before the settings are read, and when they are wrong; lib/base/config/env says what may stand there. */
const leastLevel = (): Level => levels.find((level) => level === process.env.LOG_LEVEL) ?? 'info'

/** Whether entries are written for a person at a terminal. */
export const isLogPretty = (to: { isTTY?: boolean } = process.stdout): boolean => to.isTTY === true

function destination(descriptor: number): DestinationStream {
  const stream = descriptor === 1 ? process.stdout : process.stderr
  if (!isLogPretty(stream)) return pino.destination(descriptor)
  return pretty({
    destination: descriptor,
    sync: true,
    // But for the stack of a defect.
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
 * Writes what the instance admin should know. The message is a fixed sentence, so that entries can be counted by it; what differs
 * from one to the next goes into the fields. No token, secret, address of a person or text of a query belongs in either.
 *
 * `error`: a defect of ours, with its stack. `warn`: something is away, or refuses us, and may come back. `info`: what an
 * instance admin wants to find later. `debug`: what is looked for in one case alone.
 */
export const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

/**
 * Sends entries elsewhere, all levels of them, for tests.
 * @returns sends them to standard output again
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

/** What an entry holds besides its sentence: plain values by name, and what was thrown as `error`. */
export type LogFields = Record<string, unknown> & {
  error?: unknown
  /** Which of several the sentence is about, such as a job or a limit: entries that differ in it are not summed up together. */
  name?: string
}

type Entry = { level: Level; message: string; fields: Record<string, unknown> }

/** A log that is being written. */
export type OpenLog = {
  write: (level: Level, message: string, fields: LogFields) => void
  /** Writes what has been summed up so far. */
  settle: () => void
}

/** Opens a log. @param destination takes whole lines of JSON @param level the least that is written */
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
  const sums = sumUp<Entry>(({ level, message, fields }, repeated, seconds) =>
    logger[level]({ ...fields, repeated, seconds }, message),
  )
  return {
    write(level, message, { error, ...rest }) {
      if (!logger.isLevelEnabled(level)) return
      const fields: Record<string, unknown> = rest
      // A defect is looked for in the code, everything else where it says.
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

/** What the entry belongs to. */
function scope(): Record<string, string> {
  const request = requestId()
  const trace = traceName()
  return { ...(request ? { requestId: request } : {}), ...(trace ? { trace_id: trace } : {}) }
}

/** Errors of one code are of one kind; without a code, those that were thrown at one place. */
function kindOf(message: string, name: string | undefined, error: unknown): string {
  const { name: kind, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return JSON.stringify([message, name, kind, code ?? originOf(error)])
}

/** What a sum repeats of the first of its kind: nothing that is particular to it. */
const summed = ({ name, error }: Record<string, unknown>): Record<string, unknown> => ({
  ...(name === undefined ? {} : { name }),
  ...(error === undefined ? {} : { error: { ...(error as PlainError), stack: undefined } }),
})

const longest = 500

/**
 * Makes entries of what libraries write to the console, and of what Node says itself: its warnings, and an error that nobody
 * caught, which ends the process. Written as they come they would be no lines of JSON, and Node shows an error with all of
 * its properties. Ours go through the log anyway (ADR 0053).
 * @param said whether `console.log` too: not where the process itself talks to a person
 */
export function divertConsole({ log: said }: { log: boolean }): void {
  if (said) console.log = (...said) => tell('debug', said)
  console.error = (...said) => tell('error', said)
  console.warn = (...said) => tell('warn', said)
  console.info = (...said) => tell('info', said)
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn('Node warns', { error: warning }))
  process.on('uncaughtException', (error) => {
    log.error('the process ends, because nobody caught an error', { error })
    process.exit(1)
  })
}

function tell(level: Level, said: unknown[]): void {
  const error = said.find((each) => each instanceof Error)
  // Next tells of it by instrumentation.ts as well.
  if (error !== undefined && 'digest' in error) return
  const words = said.filter((each) => typeof each !== 'object')
  const text = withoutSecrets(stripVTControlCharacters(format(...words)).slice(0, longest)).trim()
  log[level]('a library wrote to the console', { name: text, ...(error === undefined ? {} : { error }) })
}

/** So long equal entries are summed up, in milliseconds. */
const windowMs = 30_000

/** Kinds of entries that are looked out for at a time; beyond that each is written. */
const mostKinds = 1_000

/**
 * Sums up what would be written again and again: of equal entries the first is written, and after 30 seconds how many more
 * there were, for as long as they come.
 * @param tell writes the sum of one kind
 */
export function sumUp<Entry>(tell: (entry: Entry, repeated: number, seconds: number) => void) {
  const kinds = new Map<string, { entry: Entry; since: number; repeated: number }>()

  function told(kind: string): void {
    const known = kinds.get(kind)
    if (!known || known.repeated === 0) {
      kinds.delete(kind)
      return
    }
    tell(known.entry, known.repeated, Math.round((Date.now() - known.since) / 1000))
    Object.assign(known, { repeated: 0, since: Date.now() })
    wait(kind)
  }

  // What set it off is over by then.
  const wait = (kind: string) => outsideRequests(() => setTimeout(() => told(kind), windowMs).unref())

  return {
    /** @returns whether an entry is the first of its kind, to be written now; it is counted otherwise */
    isFirst(kind: string, entry: Entry): boolean {
      const known = kinds.get(kind)
      if (known) known.repeated++
      else if (kinds.size < mostKinds) {
        kinds.set(kind, { entry, since: Date.now(), repeated: 0 })
        wait(kind)
      }
      return known === undefined
    },
    /** Tells every sum, for the end of the process. */
    settle(): void {
      for (const { entry, repeated, since } of kinds.values())
        if (repeated > 0) tell(entry, repeated, Math.round((Date.now() - since) / 1000))
      kinds.clear()
    },
  }
}
