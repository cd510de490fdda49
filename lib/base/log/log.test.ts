import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLog } from '@/lib/testing/captured-log'
import { divertConsole, log, summarizeRepeats } from './log'
import { inRequest } from './request-scope'

describe('log', () => {
  let captured: ReturnType<typeof captureLog>
  beforeEach(() => {
    captured = captureLog()
  })
  afterEach(() => captured.release())

  it('writes each entry as one line of JSON with level, time, and message', () => {
    log.info('something happened', { count: 3 })
    expect(captured.text()).toMatch(/^\{.*\}\n$/)
    expect(captured.entries()).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'something happened', count: 3 },
    ])
  })

  it('adds the request ID at any call depth, but not outside of requests', async () => {
    await Promise.all(
      ['one-request', 'another-request'].map((id) =>
        inRequest(id, async () => {
          await new Promise((resolve) => setImmediate(resolve))
          log.info(id)
        }),
      ),
    )
    log.info('outside')
    expect(captured.entries().map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ['one-request', 'one-request'],
      ['another-request', 'another-request'],
      ['outside', undefined],
    ])
  })

  it('includes an error’s stack in error entries but not in warnings', () => {
    log.error('a defect', { error: new Error('why') })
    log.warn('an outage', { error: new Error('why') })
    const [defect, outage] = captured.entries().map(({ error }) => error as { stack?: string })
    expect(defect?.stack).toContain('log.test.ts')
    expect(outage).not.toHaveProperty('stack')
  })

  it('combines equal warnings and later logs the number of repeats', () => {
    const away = (code: string) => Object.assign(new Error('away'), { code })
    for (const code of ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', '57P01']) {
      log.warn('the database does not answer', { name: 'form', error: away(code) })
    }
    log.warn('the database does not answer', { name: 'page', error: away('57P01') })
    for (let times = 0; times < 3; times++) log.info('a visit')
    expect(captured.entries().map(({ msg }) => msg)).toEqual([
      ...Array(3).fill('the database does not answer'),
      ...Array(3).fill('a visit'),
    ])
    captured.release()
    expect(captured.entries().at(-1)).toMatchObject({
      level: 'warn',
      msg: 'the database does not answer',
      name: 'form',
      repeated: 2,
      error: { code: 'ECONNREFUSED' },
    })
  })

  it('does not combine errors with the same message that were created in different places', () => {
    const one = () => new TypeError('no such property')
    const other = () => new TypeError('no such property')
    log.error('a page failed', { error: one() })
    log.error('a page failed', { error: other() })
    expect(captured.entries()).toHaveLength(2)
  })
})

describe('divertConsole', () => {
  const { error, warn, info, log: print } = console
  const events = ['warning', 'uncaughtException'] as const
  const listeners = events.map((event) => process.listeners(event as 'warning'))

  let logOfDivertConsole: ReturnType<typeof captureLog>
  beforeEach(() => {
    logOfDivertConsole = captureLog()
    divertConsole({ log: true })
  })
  afterEach(() => {
    logOfDivertConsole.release()
    Object.assign(console, { error, warn, info, log: print })
    for (const [at, event] of events.entries()) {
      process.removeAllListeners(event)
      for (const listener of listeners[at] ?? []) process.on(event as 'warning', listener)
    }
  })

  it('turns libraries’ output into log entries without colors or secrets', () => {
    console.warn('\x1b[33;1m%s of %s\x1b[0m', 'WARNING', 'ada@example.com')
    expect(logOfDivertConsole.entries()).toMatchObject([
      { level: 'warn', msg: 'a library wrote to the console', name: 'WARNING of [hidden]' },
    ])
  })

  it('formats errors as the log does, without additional properties', () => {
    const refused = Object.assign(new Error('refused'), { detail: 'hunter2', code: '23505' })
    console.error('⨯', refused, { password: 'hunter2' })
    expect(logOfDivertConsole.entries()).toMatchObject([
      { level: 'error', name: '⨯', error: { code: '23505' } },
    ])
    expect(logOfDivertConsole.text()).not.toContain('hunter2')
  })

  it('does not log errors with a digest, because Next also reports them through instrumentation.ts', () => {
    console.error('⨯', Object.assign(new Error('a page'), { digest: '123' }))
    expect(logOfDivertConsole.entries()).toEqual([])
  })

  it('turns Node’s warnings into log entries', () => {
    process.emit('warning', Object.assign(new Error('old'), { code: 'DEP0001' }))
    expect(logOfDivertConsole.entries()).toMatchObject([{ msg: 'Node warns', error: { code: 'DEP0001' } }])
  })
})

describe('summarizeRepeats', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  type Summary = [entry: string, repeated: number, seconds: number]

  function summing() {
    const summaries: Summary[] = []
    return { summaries, ...summarizeRepeats<string>((...each) => summaries.push(each)) }
  }

  it('writes the first of several equal entries, and then the number of repeats every 30 seconds', () => {
    const { isFirst, summaries } = summing()
    expect(isFirst('away', 'the first')).toBe(true)
    for (let more = 0; more < 482; more++) expect(isFirst('away', 'another')).toBe(false)
    expect(summaries).toEqual([])
    vi.advanceTimersByTime(30_000)
    expect(summaries).toEqual([['the first', 482, 30]])
    expect(isFirst('away', 'another')).toBe(false)
    vi.advanceTimersByTime(30_000)
    expect(summaries.slice(1)).toEqual([['the first', 1, 30]])
    vi.advanceTimersByTime(30_000)
    expect(summaries).toHaveLength(2)
    expect(isFirst('away', 'a new one')).toBe(true)
  })

  it('summarizes each kind of entry separately', () => {
    const { isFirst, summaries } = summing()
    expect([isFirst('one', 'a'), isFirst('two', 'b'), isFirst('two', 'b')]).toEqual([true, true, false])
    vi.advanceTimersByTime(30_000)
    expect(summaries).toEqual([['b', 1, 30]])
  })

  it('writes pending summaries at the end of the process', () => {
    const { isFirst, settle, summaries } = summing()
    for (let times = 0; times < 3; times++) isFirst('away', 'a')
    vi.advanceTimersByTime(7_000)
    settle()
    expect(summaries).toEqual([['a', 2, 7]])
    vi.advanceTimersByTime(60_000)
    expect(summaries).toHaveLength(1)
  })

  it('writes every entry of a new kind after the maximum number of kinds is reached', () => {
    const { isFirst } = summing()
    for (let kind = 0; kind < 1_000; kind++) isFirst(String(kind), '')
    expect([isFirst('one more', ''), isFirst('one more', '')]).toEqual([true, true])
  })
})
