import { afterAll, expect, it } from 'vitest'
import { answerHealthz, ready } from '@/lib/server/health'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { isOutage } from './database-errors'
import { endConnections, pool } from './pool'
import { prisma } from './prisma'
import { statement } from './statements'

const path = await openBreakableDatabasePath(2)
afterAll(async () => {
  path.close()
  await endConnections().catch(() => undefined)
})

const one = statement<{ one: number }, []>('lost-path-one', 'SELECT 1 AS one', { connections: 'shared' })
const two = statement<{ two: number }, []>('lost-path-two', 'SELECT 2 AS two')

it('a slow statement is canceled by the database and reported as an outage', async () => {
  const error = await pool()
    .query('SELECT pg_sleep(30)')
    .catch((thrown) => thrown)
  expect(error.code).toBe('57014')
  expect(isOutage(error)).toBe(true)
})

it('queries fail with an outage error if their connection is silently lost, and later queries open a new connection', async () => {
  await Promise.all([pool().query('SELECT 1'), prisma().user.count(), one(), two()])
  expect((await ready()).status).toBe(200)
  path.become('silent')
  const failed = await Promise.allSettled([
    pool().query('SELECT 1'),
    prisma().user.count(),
    prisma().$transaction((tx) => tx.user.count()),
    one(),
    two(),
  ])
  expect(failed.map(({ status }) => status)).toEqual(new Array(5).fill('rejected'))
  expect(failed.map((each) => each.status === 'rejected' && (isOutage(each.reason) || each.reason))).toEqual(
    new Array(5).fill(true),
  )
  const answer = await ready()
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: 'not ready', reason: 'the database does not answer' },
  ])
  expect(answerHealthz().status).toBe(200)
  path.become('open')
  await Promise.all([pool().query('SELECT 1'), prisma().user.count(), one(), two()])
})
