import { afterEach, beforeEach, expect, it } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { divertConsole } from './divert-console'

const { error, warn, info, log: print } = console
const events = ['warning', 'uncaughtException'] as const
const listeners = events.map((event) => process.listeners(event as 'warning'))

let log: ReturnType<typeof captureLog>
beforeEach(() => {
  log = captureLog()
  divertConsole({ log: true })
})
afterEach(() => {
  log.release()
  Object.assign(console, { error, warn, info, log: print })
  for (const [at, event] of events.entries()) {
    process.removeAllListeners(event)
    for (const listener of listeners[at] ?? []) process.on(event as 'warning', listener)
  }
})

it('makes an entry of what a library writes, in plain letters and without what it should not have written', () => {
  console.warn('\x1b[33;1m%s of %s\x1b[0m', 'WARNING', 'ada@example.com')
  expect(log.entries()).toMatchObject([
    { level: 'warn', msg: 'a library wrote to the console', name: 'WARNING of [hidden]' },
  ])
})

it('shows of an error what the log shows of any, and not what hangs on it', () => {
  const refused = Object.assign(new Error('refused'), { detail: 'hunter2', code: '23505' })
  console.error('⨯', refused, { password: 'hunter2' })
  expect(log.entries()).toMatchObject([{ level: 'error', name: '⨯', error: { code: '23505' } }])
  expect(log.text()).not.toContain('hunter2')
})

it('leaves out what Next tells a second time', () => {
  console.error('⨯', Object.assign(new Error('a page'), { digest: '123' }))
  expect(log.entries()).toEqual([])
})

it('takes what Node warns of', () => {
  process.emit('warning', Object.assign(new Error('old'), { code: 'DEP0001' }))
  expect(log.entries()).toMatchObject([{ msg: 'Node warns', error: { code: 'DEP0001' } }])
})
