import { format, stripVTControlCharacters } from 'node:util'
import { log } from './log'
import type { Level } from './open-log'
import { withoutSecrets } from './without-secrets'

const longest = 500

/**
 * Makes entries of what libraries write to the console, and of what Node says itself: its warnings, and an error that nobody
 * caught, which ends the process. Written as they come they would be no lines of JSON, and Node shows an error with all of
 * its properties. Ours go through the log anyway (decision 120).
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
