import { afterAll, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { removeStale } from '@/lib/features/apps/authorizations/used-tables'
import { connectionSettings, silenceMs } from './connection-settings'
import { endConnections } from './end-connections'
import { pool } from './pool'
import { withPatience } from './with-patience'

const limitTo = (seconds: string) => {
  vi.stubEnv('DATABASE_TIMEOUT', seconds)
  resetConfig()
}
limitTo('1')
afterAll(async () => {
  await endConnections()
  vi.unstubAllEnvs()
  resetConfig()
})

const slow = 'SELECT pg_sleep(1.5)'

it('a job has longer for a statement than a request', async () => {
  await expect(pool().query(slow)).rejects.toMatchObject({ code: '57014' })
  expect((await withPatience((db) => db.query(slow))).rowCount).toBe(1)
})

it('what reads whole tables takes the time that it needs', async () => {
  await withPatience(async (other) => {
    await other.query('BEGIN; LOCK TABLE app_usage')
    const removed = removeStale()
    await other.query(slow)
    await other.query('COMMIT')
    await removed
  })
})

it('a limit that is left to the database is not taken for none at all, nor for five seconds', () => {
  expect([connectionSettings().statement_timeout, silenceMs()]).toEqual([1_000, 6_000])
  limitTo('0')
  expect([connectionSettings().statement_timeout, silenceMs()]).toEqual([undefined, 65_000])
  expect([connectionSettings(600).statement_timeout, silenceMs(600)]).toEqual([undefined, 605_000])
  limitTo('1')
})
