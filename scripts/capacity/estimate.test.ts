import fs from 'node:fs'
import { expect, it } from 'vitest'
import type { Costs } from '@/bench/machine/costs-file'
import { lifetimes } from '@/lib/edges/oauth/protocol/security-profile'
import { reuseNoticedDays } from '@/lib/features/apps/authorizations/used-tables'
import { estimate, seconds } from './estimate'
import { readQuestion } from './options'
import { report } from './report'

const cost = { server: 1_000, database: 500, log: 3_000, stored: 2_000 }
const costs: Costs = {
  machine: 'a machine',
  database: 'PostgreSQL',
  operations: {
    'refresh-native': cost,
    'refresh-web-kept': { server: 400, database: 200, log: 1_000, stored: 500 },
    'graphql-me': { server: 200, database: 100, log: 0, stored: 0 },
  },
  signIn: {
    steps: [],
    whole: { server: 50_000, database: 5_000, statements: 40, log: 20_000, stored: 4_000 },
  },
}
const ask = (...words: string[]) => {
  const asked = readQuestion(words)
  if (!asked) throw new Error('only the help')
  return { asked, capacity: estimate(asked, costs) }
}

it('the estimate multiplies the requests per second by the cost of one request', () => {
  const { capacity } = ask('--users', '36000000', '--active', '0.1', '--sign-ins', '100')
  expect(capacity.loads).toMatchObject([
    { name: 'refreshes', perSecond: 1_000, serverCores: 1, databaseCores: 0.5, log: 3_000_000 },
    { name: 'first sign-ins', perSecond: 100, serverCores: 5, databaseCores: 0.5, log: 2_000_000 },
    { name: 'API requests', perSecond: 360_000, serverCores: 72, databaseCores: 36, log: 0 },
  ])
  expect(capacity.total).toEqual({ serverCores: 78, databaseCores: 37, log: 5_000_000, commits: 1_100 })
})

it('the estimate includes the processes that the chosen utilization requires and their database connections', () => {
  const { capacity } = ask(
    '--users',
    '36000000',
    '--active',
    '0.1',
    '--sign-ins',
    '100',
    '--busy',
    '0.5',
    '--pool',
    '4',
  )
  expect(capacity).toMatchObject({ serverProcesses: 156, connections: 624 })
})

it('the estimate counts access tokens for a day after expiry and used refresh tokens for thirty days after their week', () => {
  const { capacity } = ask('--users', '3600', '--active', '1', '--average', '0.5')
  expect(capacity.stocks).toMatchObject([
    { name: 'access tokens', rows: 0.5 * 90_000, bytes: 0.5 * 90_000 * 1_000 },
    { name: 'used refresh tokens', rows: 0.5 * 2_894_400, bytes: 0.5 * 2_894_400 * 1_000 },
    { rows: 3_600, bytes: 3_600 * 4_000 },
  ])
  expect(seconds.accessToken).toBe(lifetimes.AccessToken)
  const cleanUp = fs.readFileSync('lib/features/apps/remove-stale.ts', 'utf8')
  expect(cleanUp).toContain(`expires_at < now() - interval '${seconds.pastTheEnd / 86_400} day'`)
  // Each week has its own table for used tokens. The table is dropped when its newest tokens are old enough,
  // which is half a week later for an average token.
  expect(seconds.usedRefreshToken / 86_400).toBe(reuseNoticedDays + 3.5)
})

it('the estimate includes no used refresh tokens if refresh tokens are not rotated', () => {
  const { capacity } = ask('--refresh', 'refresh-web-kept')
  expect(capacity.stocks[1]).toMatchObject({ rows: 0 })
  expect(capacity.loads[0]).toMatchObject({ from: 'refresh-web-kept' })
})

it('the estimate reports the limit that is reached first and the load relative to it', () => {
  const small = ask('--users', '100000', '--sign-ins', '0', '--max-connections', '20')
  expect(small.capacity.limits[0]).toMatchObject({
    name: 'connections of PostgreSQL',
    taken: 10,
    allowed: 20,
  })
  expect(report(small.asked, small.capacity, 'here')).toContain('at 2.00 times this load')
  const large = ask(
    '--users',
    '36000000',
    '--max-connections',
    '100000',
    '--database-cores',
    '10',
    '--busy',
    '1',
  )
  expect(large.capacity.limits[0]).toMatchObject({ name: 'processors of the database' })
  expect(report(large.asked, large.capacity, 'here')).toContain(
    'times the limit. Solution: a larger database server',
  )
})

it('the estimate reports an operation whose cost was not measured', () => {
  expect(() => ask('--api', 'userinfo-native')).toThrow('The cost of userinfo-native was not measured')
})

it('the measured costs cover the default options', () => {
  const measured = JSON.parse(fs.readFileSync('docs/performance/costs.json', 'utf8')) as Costs
  const asked = readQuestion([])
  expect(Object.keys(measured.operations)).toEqual(expect.arrayContaining([asked?.api, asked?.refresh]))
  expect(measured.signIn.whole.server).toBeGreaterThan(0)
})
