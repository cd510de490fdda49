import { afterAll, expect, it, vi } from 'vitest'
import { log } from '@/lib/base/log/log'
import { runShutdownTasks } from '@/lib/base/process/background'
import { backgroundTrouble, startBackground } from './background'
import { ready } from './health'
import type { startJobs } from './jobs'

const eventually = (look: () => void) => vi.waitFor(look, { timeout: 15_000, interval: 20 })

afterAll(() => runShutdownTasks())

it('tries again until the jobs run, and /readyz says meanwhile that they do not', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => {})
  let tries = 0
  let refused = true
  const start: typeof startJobs = async () => {
    tries += 1
    if (refused) throw new Error('deadlock detected')
    return undefined as never
  }
  startBackground(start, 100)
  await eventually(() => expect(backgroundTrouble()).toBe('deadlock detected'))
  const meanwhile = await ready()
  expect([meanwhile.status, await meanwhile.json()]).toEqual([
    200,
    { status: 'ready', jobs: 'not running, tried again' },
  ])
  await eventually(() => expect(tries).toBeGreaterThan(1))
  refused = false
  await eventually(() => expect(backgroundTrouble()).toBeUndefined())
  expect(await (await ready()).json()).toEqual({ status: 'ready' })
})
