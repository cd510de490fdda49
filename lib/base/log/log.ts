import pino from 'pino'
import { remember } from '@/lib/base/process/remember'

/** What an entry holds besides its sentence: plain values by name, and what was thrown as `error`. */
export type LogFields = Record<string, unknown> & { error?: unknown }

/** One line of JSON for each entry, on standard output. */
const logger = () =>
  remember('log', () =>
    pino({
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      errorKey: 'error',
      serializers: { error: pino.stdSerializers.errWithCause },
      formatters: { level: (label) => ({ level: label }) },
    }),
  )

const at =
  (level: 'debug' | 'info' | 'warn' | 'error') =>
  (message: string, fields: LogFields = {}): void =>
    logger()[level](fields, message)

/**
 * Writes what the operator should know. The message is a fixed sentence, so that entries can be counted by it; what differs
 * from one to the next goes into the fields. No token, secret, address of a person or text of a query belongs in either.
 */
export const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
