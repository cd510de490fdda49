import { afterAll, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { removeStale } from '@/lib/features/apps/authorizations/used-tables'
import { deleteInBatches, withLongTimeout } from './batches'
import { endConnections, pool } from './pool'
import { connectionSettings, silenceMs } from './primary'

describe('with patience', () => {
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
    expect((await withLongTimeout((db) => db.query(slow))).rowCount).toBe(1)
  })

  it('what reads whole tables takes the time that it needs', async () => {
    await withLongTimeout(async (other) => {
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
})

describe('delete in batches', () => {
  const old = { table: 'rate_limits', key: 'key', where: 'expire < 10' }
  const soon = () => performance.now() + 10_000
  const left = async () => (await pool().query('SELECT key FROM rate_limits ORDER BY key')).rows.length

  it('removes more than one batch, and only what was meant', async () => {
    await pool().query(
      `INSERT INTO rate_limits (key, expire) SELECT 'k' || n, CASE WHEN n <= 2500 THEN 1 ELSE 99 END FROM generate_series(1, 2600) n`,
    )
    expect(await deleteInBatches(old, soon())).toBe(2500)
    expect(await left()).toBe(100)
  })

  it('leaves what somebody else holds, and does not wait for it', async () => {
    await pool().query(
      `DELETE FROM rate_limits; INSERT INTO rate_limits (key, expire) VALUES ('held', 1), ('free', 1)`,
    )
    const other = await pool().connect()
    await other.query('BEGIN')
    await other.query(`UPDATE rate_limits SET points = 1 WHERE key = 'held'`)
    expect(await deleteInBatches(old, soon())).toBe(1)
    await other.query('ROLLBACK')
    other.release()
    expect(await deleteInBatches(old, soon())).toBe(1)
  })

  it('stops when its time is up', async () => {
    await pool().query(
      `INSERT INTO rate_limits (key, expire) SELECT 'k' || n, 1 FROM generate_series(1, 2500) n`,
    )
    expect(await deleteInBatches(old, performance.now() - 1)).toBe(1000)
  })
})
