import { afterAll, expect, it } from 'vitest'
import { connectWith } from '@/lib/testing/fresh-process'
import { countAttempt } from './limits'
import { endConnections, pool, tokenPool } from './pool'
import { prisma } from './prisma'
import { statement } from './statements'

await connectWith({ DATABASE_URL: `${process.env.DATABASE_URL}?pgbouncer=true` })
afterAll(async () => {
  await endConnections()
})

const one = statement<{ one: number }, [number]>('unnamed-one', 'SELECT $1::int AS one')
const two = statement<{ two: number }, [number]>('unnamed-two', 'SELECT $1::int AS two', {
  connections: 'shared',
})
const limit = { name: 'unnamed', points: 5, seconds: 60, message: 'Too many.' }

it('with pgbouncer=true, no connection has prepared statements', async () => {
  for (const value of [1, 2, 3, 4]) {
    expect(await one(value)).toEqual([{ one: value }])
    expect(await two(value)).toEqual([{ two: value }])
    await countAttempt(limit, 'someone')
    expect(await prisma().user.count()).toBe(0)
  }
  const names = 'SELECT pid, name FROM pg_stat_activity, pg_prepared_statements WHERE pid = pg_backend_pid()'
  const pools = [pool(), tokenPool()]
  for (const each of pools)
    for (let i = 0; i < each.totalCount; i++) expect((await each.query(names)).rows).toEqual([])
  const { rows } = await pool().query(
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'latchkey'`,
  )
  // The pools have the only connections, and these were checked above.
  expect(rows).toEqual([{ connections: pool().totalCount + tokenPool().totalCount }])
})

it('with pgbouncer=true, a shared read is served while all connections of the main pool are in use', async () => {
  const taken = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()))
  try {
    expect(await two(3)).toEqual([{ two: 3 }])
  } finally {
    for (const client of taken) client.release()
  }
})
