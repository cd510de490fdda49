import { afterAll, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { removeStale } from '@/lib/features/apps/remove-stale'
import { connectWith } from '@/lib/testing/fresh-process'
import { withLongTimeout } from './batches'
import { endConnections, pool } from './pool'
import { connectionSettings, silenceMs } from './primary'

describe('database timeouts', () => {
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

  it('give a job’s statements more time than a request’s statements', async () => {
    await expect(pool().query(slow)).rejects.toMatchObject({ code: '57014' })
    expect((await withLongTimeout((db) => db.query(slow))).rowCount).toBe(1)
  })

  it('allow the deletion of stale rows to wait for a lock', async () => {
    await withLongTimeout(async (other) => {
      await other.query('BEGIN; LOCK TABLE app_usage')
      const removed = removeStale()
      await other.query(slow)
      await other.query('COMMIT')
      await removed
    })
  })

  it('are read when the pool is created, so that its new connections work even if a setting becomes invalid', async () => {
    await connectWith({})
    const opened = pool()
    const { BASE_URL } = process.env
    vi.stubEnv('BASE_URL', '/')
    resetConfig()
    const found = await opened.query('SELECT 1 AS one').finally(() => {
      vi.stubEnv('BASE_URL', BASE_URL)
      resetConfig()
    })
    expect(found.rows).toEqual([{ one: 1 }])
  })

  it('include a limit of 65 seconds for silent connections even if DATABASE_TIMEOUT is 0', () => {
    expect([connectionSettings().statement_timeout, silenceMs()]).toEqual([1_000, 6_000])
    limitTo('0')
    expect([connectionSettings().statement_timeout, silenceMs()]).toEqual([undefined, 65_000])
    expect([connectionSettings(600).statement_timeout, silenceMs(600)]).toEqual([undefined, 605_000])
    limitTo('1')
  })
})
