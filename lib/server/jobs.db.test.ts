import { afterAll, expect, it, vi } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { schedule } from '@/lib/base/jobs/schedule'
import { log } from '@/lib/base/log/log'
import { runShutdownTasks } from '@/lib/base/process/background'
import { ready } from './health'
import { backgroundProblem, startBackground, startJobs } from './jobs'

const eventually = (look: () => void) => vi.waitFor(look, { timeout: 15_000, interval: 20 })

afterAll(() => runShutdownTasks())

const replicas = 4

it.each([1, 2, 3])(
  'replicas that start at the same time on an empty database start all their jobs (attempt %i)',
  async () => {
    await pool().query('DROP SCHEMA IF EXISTS pgboss CASCADE')
    const logged = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')]
    const started = await Promise.allSettled(
      Array.from({ length: replicas }, () => startJobs(async () => undefined)),
    )
    const queues = await pool().query<{ name: string }>('SELECT name FROM pgboss.schedule ORDER BY name')
    for (const each of started) {
      if (each.status === 'fulfilled') await each.value.stop({ graceful: false, close: false })
    }
    expect(started.map((each) => (each.status === 'fulfilled' ? 'runs' : String(each.reason)))).toEqual(
      new Array(replicas).fill('runs'),
    )
    expect(queues.rows.map(({ name }) => name)).toEqual(Object.keys(schedule).sort())
    for (const each of logged) {
      expect(each).not.toHaveBeenCalled()
      each.mockRestore()
    }
    // Wait for all statements. Otherwise, a running statement would fail and be logged when the next attempt
    // drops the tables.
    await vi.waitFor(() => expect(pool().idleCount).toBe(pool().totalCount))
  },
)

it('startBackground retries until the jobs start, while /readyz reports that they are not running', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => {})
  let tries = 0
  let refused = true
  const start: typeof startJobs = async () => {
    tries += 1
    if (refused) throw new Error('deadlock detected')
    return undefined as never
  }
  startBackground(start, 100)
  await eventually(() => expect(backgroundProblem()).toBe('deadlock detected'))
  const meanwhile = await ready()
  expect([meanwhile.status, await meanwhile.json()]).toEqual([
    200,
    { status: 'ready', jobs: 'not running, tried again' },
  ])
  await eventually(() => expect(tries).toBeGreaterThan(1))
  refused = false
  await eventually(() => expect(backgroundProblem()).toBeUndefined())
  expect(await (await ready()).json()).toEqual({ status: 'ready' })
})
