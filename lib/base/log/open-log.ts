import pino, { type DestinationStream } from 'pino'
import { originOf, type PlainError, plainError } from './plain-error'
import { requestId } from './request-scope'
import { sumUp } from './sum-up'
import { traceName } from './trace-name'

export const levels = ['debug', 'info', 'warn', 'error'] as const
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
export function openLog(destination: DestinationStream, level: Level): OpenLog {
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
