import pg from 'pg'
import { expect, it } from 'vitest'
import { type Migration, migrate, readMigrations } from '@/lib/base/db/migrate'
import { createBlankDatabase } from '@/lib/testing/database'

/**
 * During an upgrade and after a rollback, the previous release runs on the new schema. Migrations must
 * therefore keep everything that the previous release reads or writes, and must not require values that it
 * does not write (docs/operate/upgrade.md).
 */

/**
 * The last migration of 2.0.0, the oldest release that supports rolling upgrades (docs/operate/upgrade.md).
 */
const settled = '20261123174500_totp_begun_by'

/** The facts that a release depends on, one per line. */
const facts = `
  SELECT table_name || '.' || column_name AS name, 'column' AS kind, concat_ws(' ', udt_name,
         CASE is_nullable WHEN 'NO' THEN 'NOT NULL' END,
         CASE WHEN column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' THEN 'with a default' END) AS is
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_prisma%'
  UNION ALL
  SELECT indrelid::regclass || ': ' || pg_get_indexdef(indexrelid), 'unique', 'unique'
    FROM pg_index JOIN pg_class ON oid = indexrelid
   WHERE indisunique AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid), 'constraint', contype::text FROM pg_constraint
   WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'x')
  UNION ALL
  SELECT typname || '.' || enumlabel, 'enum', 'a value' FROM pg_enum JOIN pg_type t ON t.oid = enumtypid
   ORDER BY kind, name`

type Fact = { name: string; kind: string; is: string }

const tableOf = (name: string) => name.split(/[.:]/, 1)[0] as string

/** Returns a message for each change that would break the previous release. */
function complaints(before: readonly Fact[], after: readonly Fact[]): string[] {
  const [then, now] = [before, after].map((all) => new Map(all.map((fact) => [fact.name, fact]))) as [
    Map<string, Fact>,
    Map<string, Fact>,
  ]
  const known = new Set(before.filter(({ kind }) => kind === 'column').map(({ name }) => tableOf(name)))
  const gone = before.filter(({ name, kind }) => (kind === 'column' || kind === 'enum') && !now.has(name))
  const changed = after.filter(({ name, is }) => then.has(name) && then.get(name)?.is !== is)
  const demands = after.filter(
    ({ name, kind, is }) =>
      !then.has(name) &&
      known.has(tableOf(name)) &&
      (kind === 'column' ? /NOT NULL$/.test(is) : kind === 'unique' || kind === 'constraint') &&
      !isOfNewColumns(name, then, now),
  )
  const types = new Set(before.filter(({ kind }) => kind === 'enum').map(({ name }) => tableOf(name)))
  const values = after.filter(
    ({ name, kind }) => kind === 'enum' && !then.has(name) && types.has(tableOf(name)),
  )
  return [
    ...gone.map(({ name }) => `${name} is gone`),
    ...changed
      .filter(({ name, is }) => !isLoosened(then.get(name)?.is ?? '', is))
      .map(({ name, is }) => `${name} was ${then.get(name)?.is} and is ${is}`),
    ...values.map(({ name }) => `${name} is new, and no earlier release reads a row that has it`),
    ...demands.map(({ name, is }) => `${name} is new and asks for more: ${is}`),
  ]
}

/**
 * Returns whether a foreign key or a unique index covers only new columns, which the previous release leaves
 * empty.
 */
function isOfNewColumns(name: string, then: Map<string, Fact>, now: Map<string, Fact>): boolean {
  const [, columns] = /(?:FOREIGN KEY|UNIQUE INDEX .* USING btree) \(([^)]+)\)(?! NULLS)/.exec(name) ?? []
  return (
    columns?.split(', ').every((column) => {
      const id = `${tableOf(name)}.${column}`
      return !then.has(id) && !now.get(id)?.is.includes('with a default')
    }) ?? false
  )
}

/** Returns whether a column accepts more than before: it can be null, or it has a default. */
const isLoosened = (was: string, is: string): boolean =>
  is === was.replace(' NOT NULL', '') || is === `${was} with a default`

async function changesOf(migrations: Migration[], from: number): Promise<[string, string[]][]> {
  const url = await createBlankDatabase()
  await migrate(url, migrations.slice(0, from))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const read = async () => (await client.query<Fact>(facts)).rows
  try {
    const found: [string, string[]][] = []
    let before = await read()
    for (let count = from + 1; count <= migrations.length; count++) {
      await migrate(url, migrations.slice(0, count))
      const after = await read()
      found.push([migrations[count - 1]?.name as string, complaints(before, after)])
      before = after
    }
    return found
  } finally {
    await client.end()
  }
}

const migrations = readMigrations('prisma/migrations')
const rule = migrations.findIndex(({ name }) => name === settled) + 1

it('each migration keeps everything that the previous release reads or writes', async () => {
  expect(rule).toBeGreaterThan(0)
  for (const [name, found] of await changesOf(migrations, rule)) expect(found, name).toEqual([])
})

it.each([
  ['ALTER TABLE users DROP COLUMN name', ['users.name is gone']],
  ['ALTER TABLE users RENAME COLUMN name TO full_name', ['users.name is gone', 'users.full_name is new and']],
  ['DROP TABLE ssh_public_keys', ['ssh_public_keys.']],
  ['ALTER TABLE users ADD COLUMN nickname text NOT NULL', ['users.nickname is new and asks for more']],
  ['ALTER TABLE sessions ALTER COLUMN ip SET NOT NULL', ['sessions.ip was text and is text NOT NULL']],
  ['ALTER TABLE sessions ALTER COLUMN ip TYPE varchar(40)', ['sessions.ip was text and is varchar']],
  [
    'ALTER TABLE sessions ALTER COLUMN created_at DROP DEFAULT',
    ['sessions.created_at was timestamptz NOT NULL with'],
  ],
  [
    'ALTER TABLE users ADD CHECK (length(name) < 9)',
    ['users: CHECK ((length(name) < 9)) is new and asks for more'],
  ],
  ['CREATE UNIQUE INDEX one_ip ON sessions (ip)', ['sessions: CREATE UNIQUE INDEX one_ip']],
  [
    "ALTER TYPE role ADD VALUE 'GUEST'",
    ['role.GUEST is new, and no earlier release reads a row that has it'],
  ],
  ["CREATE TYPE mood AS ENUM ('well')", []],
  [
    'ALTER TABLE sessions ADD FOREIGN KEY (id) REFERENCES sessions (id)',
    ['sessions: FOREIGN KEY (id) REFERENCES sessions(id)'],
  ],
  ['ALTER TABLE users ADD COLUMN friend uuid, ADD FOREIGN KEY (friend) REFERENCES users (id)', []],
  ['ALTER TABLE users ADD COLUMN badge text UNIQUE', []],
  [
    "ALTER TABLE users ADD COLUMN badge text DEFAULT '' UNIQUE",
    ['users: CREATE UNIQUE INDEX users_badge_key'],
  ],
  ['ALTER TABLE users ADD COLUMN nickname text, ADD COLUMN age int NOT NULL DEFAULT 0', []],
  ['ALTER TABLE users ALTER COLUMN name DROP NOT NULL', []],
  ['CREATE TABLE pets (id int PRIMARY KEY, name text NOT NULL UNIQUE CHECK (length(name) < 9))', []],
])('the migration check reports only breaking changes: %s', async (sql, expected) => {
  const [found] = await changesOf([...migrations, { name: 'made_up', sql, checksum: '0' }], migrations.length)
  const told = found?.[1] ?? []
  for (const each of expected)
    expect(
      told.some((one) => one.startsWith(each)),
      told.join('\n'),
    ).toBe(true)
  if (expected.length === 0) expect(told).toEqual([])
})
