import pino, { type DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import { type Level, type LogFields, levels, type OpenLog, openLog } from './open-log'

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
export const isLogPretty = (to: { isTTY?: boolean } = process.stdout): boolean => {
  const format = process.env.LOG_FORMAT
  return format === 'pretty' || (format !== 'json' && to.isTTY === true)
}

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
 * Writes what the operator should know. The message is a fixed sentence, so that entries can be counted by it; what differs
 * from one to the next goes into the fields. No token, secret, address of a person or text of a query belongs in either.
 *
 * `error`: a defect of ours, with its stack. `warn`: something is away, or refuses us, and may come back. `info`: what an
 * operator wants to find later. `debug`: what is looked for in one case alone.
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
