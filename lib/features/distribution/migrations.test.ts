import { expect, it } from 'vitest'
import { readMigrations, splitStatements } from '@/lib/base/db/migrate'
import { tableLayout } from './table-layout'

/**
 * Later migrations run on databases that are distributed. What Citus refuses of them that the schema does not show is looked for
 * here; table-layout.db.test.ts has triggers and unique indexes, and `npm run test:citus` applies them all.
 */
const first = '_commit_on_one_shard'

const placed = Object.keys(tableLayout).filter((table) => tableLayout[table] !== 'local')

/** Functions whose value is another one for each row: each node would have its own. */
const volatile = /\b(gen_random_uuid|random|clock_timestamp|nextval|timeofday)\s*\(/i

/** Whether Citus refuses a statement, for what it writes to a table that is copied or in shards. */
const isRefused = (statement: string): boolean =>
  new RegExp(`\\b(UPDATE|INTO|FROM)\\s+"?(${placed.join('|')})"?\\b`, 'i').test(statement) &&
  /^\s*(UPDATE|DELETE|WITH)\b/i.test(statement.replace(/^\s*--.*$/gm, '')) &&
  volatile.test(statement)

it.each<[string, boolean]>([
  ['UPDATE users SET name = gen_random_uuid()::text', true],
  ['-- New names.\nUPDATE "users" SET name = random()', true],
  [`UPDATE users SET name = 'Ada'`, false],
  ['UPDATE sessions SET id = gen_random_uuid()', false],
])('knows a refused one: %s', (statement, refused) => {
  expect(isRefused(statement)).toBe(refused)
})

it('writes to tables on several machines what each node agrees on', () => {
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
