import { afterAll, expect, it } from 'vitest'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { endConnections, pool, tokenPool } from './pool'
import { statement } from './statements'

const path = await openBreakableDatabasePath(2)
afterAll(async () => {
  path.close()
  await endConnections().catch(() => undefined)
})

const one = statement<{ one: number }, []>('lost-connections-one', 'SELECT 1 AS one', {
  connections: 'shared',
})

/**
 * Runs one query per connection at the same time, so that all connections are opened and then become idle.
 */
const useAll = () =>
  Promise.all([
    ...Array.from({ length: pool().options.max }, () => pool().query('SELECT pg_sleep(0.1)')),
    ...Array.from({ length: tokenPool().options.max }, () => tokenPool().query('SELECT pg_sleep(0.1)')),
    one(),
    one(),
  ])

const everyWay = () => [pool().query('SELECT 1'), tokenPool().query('SELECT 1'), one(), one()]

it.each([
  ['the pool', () => pool().query('SELECT 1')],
  ['the token pool', () => tokenPool().query('SELECT 1')],
  ['a shared read', () => one()],
])('after the network path is lost, only the first query waits for the timeout: %s', async (_, find) => {
  path.become('open')
  await useAll()
  expect([pool().idleCount, tokenPool().idleCount]).toEqual([pool().options.max, tokenPool().options.max])
  path.become('lost')
  await expect(find()).rejects.toThrow()
  // Use all connections again. If the other idle connections had stayed open, the next query on each of them
  // would fail.
  for (let time = 0; time < pool().options.max; time++) await Promise.all(everyWay())
})

it('a connection in use is not closed when idle connections are lost', async () => {
  path.become('open')
  await useAll()
  const lent = await pool().connect()
  const ended: Error[] = []
  lent.on('error', (error) => ended.push(error))
  path.become('lost')
  await expect(one()).rejects.toThrow()
  await Promise.all(everyWay())
  expect(ended).toEqual([])
  lent.release(true)
})
