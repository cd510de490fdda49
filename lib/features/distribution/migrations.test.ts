import { expect, it } from 'vitest'
import { readMigrations, splitStatements } from '@/lib/base/db/migrate'
import { tableLayout } from './table-layout'

/**
 * The last migration that never runs on a distributed database. This test checks later migrations for data
 * changes that Citus rejects. Such changes leave no trace in the resulting schema. table-layout.db.test.ts
 * covers triggers and unique indexes, and `npm run test:citus` applies all migrations.
 */
const first = '_commit_on_one_shard'

const placed = Object.keys(tableLayout).filter((table) => tableLayout[table] !== 'local')

/**
 * The pattern of calls to functions that return a different value each time, so that the nodes would store
 * different values.
 */
const volatile = /\b(gen_random_uuid|random|clock_timestamp|nextval|timeofday)\s*\(/i

/**
 * Returns whether Citus rejects a statement because it writes volatile values to a reference or distributed
 * table.
 */
const isRefused = (statement: string): boolean =>
  new RegExp(`\\b(UPDATE|INTO|FROM)\\s+"?(${placed.join('|')})"?\\b`, 'i').test(statement) &&
  /^\s*(UPDATE|DELETE|WITH)\b/i.test(statement.replace(/^\s*--.*$/gm, '')) &&
  volatile.test(statement)

it.each<[string, boolean]>([
  ['UPDATE users SET name = gen_random_uuid()::text', true],
  ['-- New names.\nUPDATE "users" SET name = random()', true],
  [`UPDATE users SET name = 'Ada'`, false],
  ['UPDATE sessions SET id = gen_random_uuid()', false],
])('isRefused detects whether Citus rejects the statement: %s', (statement, refused) => {
  expect(isRefused(statement)).toBe(refused)
})

it('migrations after _commit_on_one_shard never update reference or distributed tables with values that differ by node', () => {
  const all = readMigrations('prisma/migrations')
  const later = all.slice(all.findIndex(({ name }) => name.endsWith(first)) + 1)
  expect(later.length).toBeGreaterThan(0)
  const refused = later.flatMap(({ name, sql }) =>
    splitStatements(sql)
      .filter(isRefused)
      .map((statement) => `${name}: ${statement}`),
  )
  expect(refused).toEqual([])
})
