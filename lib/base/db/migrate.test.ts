import { expect, it } from 'vitest'
import { readMigrations, splitStatements } from './migrate'

it.each<[string, string[]]>([
  ['', []],
  ['-- only a word; or two\n', []],
  ['SELECT 1', ['SELECT 1']],
  ['SELECT 1;\nSELECT 2;\n', ['SELECT 1', 'SELECT 2']],
  [`SELECT 'a;b''c;'; SELECT 2`, [`SELECT 'a;b''c;'`, 'SELECT 2']],
  [String.raw`SELECT E'a\';b'; SELECT 2`, [String.raw`SELECT E'a\';b'`, 'SELECT 2']],
  ['SELECT 1 AS "a;""b"; SELECT 2', ['SELECT 1 AS "a;""b"', 'SELECT 2']],
  ['DO $$ BEGIN PERFORM 1; END $$; SELECT 2', ['DO $$ BEGIN PERFORM 1; END $$', 'SELECT 2']],
  ['DO $x$ a; $$ b; $x$; SELECT 2', ['DO $x$ a; $$ b; $x$', 'SELECT 2']],
  ['SELECT 1 -- it is; "one\n; SELECT /* ; */ 2', ['SELECT 1 -- it is; "one', 'SELECT /* ; */ 2']],
])('splitStatements splits %j into its statements', (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements)
})

it('splitStatements omits no part of a migration', () => {
  for (const { name, sql } of readMigrations('prisma/migrations')) {
    const bare = (text: string) => text.replace(/--[^\n]*/g, '').replace(/[\s;]/g, '')
    expect(bare(splitStatements(sql).join('\n')), name).toBe(bare(sql))
  }
})
