import { randomUUID } from 'node:crypto'
import PgBoss from 'pg-boss'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { type StopWork, workFairlyByReceiver } from './workers'

type Call = { receiver: string; name: string }

const executeSql = (text: string, values: unknown[]) => pool().query(text, values)
/** Two processes that share the queue. */
const processes = [new PgBoss({ db: { executeSql } }), new PgBoss({ db: { executeSql } })] as const
beforeAll(async () => {
  for (const boss of processes) await boss.start()
}, 60_000)
afterAll(() => Promise.all(processes.map((boss) => boss.stop({ graceful: false, close: false }))))

const limits = { perProcess: 10, perReceiver: 2, longestMs: 30_000 }

const insert = (queue: string, calls: Call[], more: object = {}) =>
  processes[0].insert(calls.map((data) => ({ id: randomUUID(), name: queue, data, ...more })))

const states = async (queue: string) => {
  const { rows } = await pool().query(
    'SELECT state, count(*)::int AS jobs FROM pgboss.job WHERE name = $1 GROUP BY state ORDER BY state',
    [queue],
  )
  return Object.fromEntries(rows.map(({ state, jobs }) => [state, jobs]))
}

it('a working receiver gets its jobs while another receiver hangs in every process, and each job runs once', async () => {
  const queue = 'fair-hanging'
  await processes[0].createQueue(queue)
  const hanging = Array.from({ length: 200 }, (_, at) => ({ receiver: 'hangs', name: `h${at}` }))
  const healthy = Array.from({ length: 30 }, (_, at) => ({ receiver: 'answers', name: `a${at}` }))
  await insert(queue, hanging)
  await insert(queue, healthy)
  const begun: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const stops: StopWork[] = []
  for (const boss of processes) {
    stops.push(
      await workFairlyByReceiver<Call>(boss, queue, limits, async ({ data }) => {
        begun.push(data.name)
        if (data.receiver === 'hangs') await released
        return undefined
      }),
    )
  }
  const of = (initial: string) => begun.filter((name) => name.startsWith(initial))
  await vi.waitFor(() => expect([of('a').length, of('h').length]).toEqual([30, 4]))
  release()
  await vi.waitFor(async () => expect(await states(queue)).toEqual({ completed: 230 }), 60_000)
  expect(new Set(begun).size).toBe(230)
  expect(begun).toHaveLength(230)
  await Promise.all(stops.map((stop) => stop(5_000)))
}, 90_000)

it('each receiver’s first job starts before any receiver’s second job', async () => {
  const queue = 'fair-order'
  await processes[0].createQueue(queue)
  const flood = Array.from({ length: 8 }, (_, at) =>
    Array.from({ length: 20 }, () => ({ receiver: `flood ${at}`, name: `flood ${at}` })),
  ).flat()
  await insert(queue, flood)
  await insert(queue, [{ receiver: 'late', name: 'late' }])
  const begun: string[] = []
  let end: (() => void)[] = []
  const stop = await workFairlyByReceiver<Call>(
    processes[0],
    queue,
    { ...limits, perProcess: 9, perReceiver: 8 },
    ({ data }) =>
      new Promise((resolve) => {
        begun.push(data.name)
        end.push(() => resolve(undefined))
      }),
  )
  await vi.waitFor(() => expect(begun).toHaveLength(9))
  expect(new Set(begun).size).toBe(9)
  expect(begun).toContain('late')
  // Jobs that a process holds when it ends must return to the queue.
  await stop(0)
  const { active = 0, failed = 0, created = 0, retry = 0 } = await states(queue)
  expect([active, failed + created + retry]).toEqual([0, 161])
  for (const release of end) release()
  end = []
})

it('only the failed job is retried, and its last attempt is marked as such', async () => {
  const queue = 'fair-failing'
  await processes[0].createQueue(queue)
  await insert(queue, [{ receiver: 'a', name: 'fails' }], { retryLimit: 1, retryDelay: 0 })
  await insert(queue, [{ receiver: 'a', name: 'succeeds' }])
  const tries: [string, boolean][] = []
  const stop = await workFairlyByReceiver<Call>(processes[0], queue, limits, async ({ data, isLast }) => {
    tries.push([data.name, isLast])
    return data.name === 'fails' ? { retry: 'It answered 500.' } : undefined
  })
  await vi.waitFor(async () => expect(await states(queue)).toEqual({ completed: 1, failed: 1 }))
  expect(tries.filter(([name]) => name === 'fails')).toEqual([
    ['fails', false],
    ['fails', true],
  ])
  expect(tries.filter(([name]) => name === 'succeeds')).toHaveLength(1)
  const { rows } = await pool().query(`SELECT output FROM pgboss.job WHERE name = $1 AND state = 'failed'`, [
    queue,
  ])
  expect(rows).toEqual([{ output: { message: 'It answered 500.' } }])
  await stop(5_000)
})

it('a job that takes too long is stopped, and later jobs run', async () => {
  const queue = 'fair-stuck'
  await processes[0].createQueue(queue)
  await insert(queue, [{ receiver: 'a', name: 'stuck' }], { retryLimit: 0 })
  await insert(queue, [{ receiver: 'a', name: 'next' }])
  const stop = await workFairlyByReceiver<Call>(
    processes[0],
    queue,
    { perProcess: 1, perReceiver: 1, longestMs: 200 },
    ({ data }) => (data.name === 'stuck' ? new Promise(() => {}) : Promise.resolve(undefined)),
  )
  await vi.waitFor(async () => expect(await states(queue)).toEqual({ completed: 1, failed: 1 }))
  await stop(5_000)
})

it('jobs run even if an earlier release queued them without a receiver', async () => {
  const queue = 'fair-earlier'
  await processes[0].createQueue(queue)
  await processes[0].insert(Array.from({ length: 5 }, () => ({ name: queue, data: { id: randomUUID() } })))
  const begun: unknown[] = []
  const stop = await workFairlyByReceiver(processes[0], queue, limits, async ({ data }) => {
    begun.push(data)
    return undefined
  })
  await vi.waitFor(async () => expect(await states(queue)).toEqual({ completed: 5 }))
  expect(begun).toHaveLength(5)
  await stop(5_000)
})
