import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { log } from '@/lib/base/log/log'
import {
  isFrozenWhenIdle,
  onShutdown,
  repeat,
  runInBackground,
  runShutdownTasks,
  setKeepAwake,
} from './background'
import { collect, settleLater } from './tally'

describe('keepAwake', () => {
  const kept: Promise<unknown>[] = []
  afterEach(() => kept.splice(0))

  it('is not used on platforms that do not freeze processes', () => {
    expect(isFrozenWhenIdle()).toBe(false)
  })

  it('keeps the function awake until all collected values are written together', async () => {
    setKeepAwake((work) => kept.push(work))
    const written: number[][] = []
    const noted = collect<number>('noted by a function', {
      afterMs: 3_600_000,
      merge: (earlier, later) => earlier + later,
      write: async (items) => {
        // Other requests record more values while the database is writing.
        await new Promise(setImmediate)
        written.push([...items.values()])
      },
    })
    for (const one of ['a', 'b', 'a']) noted.add(one, 1)
    expect(kept.length).toBeGreaterThan(0)
    await Promise.all(kept)
    expect(written).toEqual([[2, 1]])
    noted.add('a', 5)
    await Promise.all(kept)
    expect(written).toEqual([[2, 1], [5]])
  })

  it('receives a promise that resolves even if the write fails, and the next write includes the values', async () => {
    let fails = true
    const written: string[] = []
    const noted = new Set<string>()
    const settling = settleLater('settled by a function', 3_600_000, async () => {
      if (fails) throw new Error('the database is away')
      written.push(...noted)
      noted.clear()
    })
    noted.add('first')
    settling.soon()
    await expect(Promise.all(kept)).resolves.toBeDefined()
    expect(written).toEqual([])
    fails = false
    noted.add('second')
    settling.soon()
    await Promise.all(kept)
    expect(written).toEqual(['first', 'second'])
  })

  it('keeps the function awake until background work has ended', async () => {
    let done = false
    runInBackground('a mail', async () => {
      await new Promise(setImmediate)
      done = true
    })
    expect(kept).toHaveLength(1)
    await Promise.all(kept)
    expect(done).toBe(true)
  })
})

describe('repeat', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('logs a failure and continues', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    let times = 0
    const stop = repeat('queueing', async () => {
      if (times++ === 0) throw new Error('connection lost')
    })
    await vi.advanceTimersToNextTimerAsync()
    await vi.advanceTimersToNextTimerAsync()
    expect(times).toBe(2)
    expect(warn.mock.calls).toEqual([
      ['repeated work failed', { name: 'queueing', error: new Error('connection lost') }],
    ])
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not run again or log an error after it is stopped, even if a pending run fails', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    let fail: (error: Error) => void = () => {}
    let times = 0
    const stop = repeat('queueing', () => {
      times++
      return new Promise((_resolve, reject) => {
        fail = reject
      })
    })
    await vi.advanceTimersToNextTimerAsync()
    stop()
    fail(new Error('Cannot use a pool after calling end on the pool'))
    await vi.runAllTimersAsync()
    expect(times).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('shutdown', () => {
  afterEach(() => vi.restoreAllMocks())

  it('runs every task in reverse order, even if one fails and one hangs', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const done: string[] = []
    onShutdown('connections', async () => done.push('connections'))
    onShutdown('counters', () => new Promise(() => {}))
    onShutdown('a mail', async () => {
      throw new Error('refused')
    })
    onShutdown('jobs', async () => done.push('jobs'))
    await runShutdownTasks(200)
    expect(done).toEqual(['jobs', 'connections'])
    expect(warn.mock.calls.map(([, fields]) => fields)).toEqual([
      { name: 'a mail', error: new Error('refused') },
      { name: 'counters', error: new Error('the time limit was exceeded') },
    ])
  })
})
