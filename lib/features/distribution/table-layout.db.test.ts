import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { distribute } from './distribute'
import {
  commitFunction,
  distributedTables,
  droppedTriggers,
  referenceTables,
  tableLayout,
} from './table-layout'

const names = async (text: string) =>
  (await pool().query<{ name: string }>(text)).rows.map(({ name }) => name).sort()

it('the layout contains exactly the tables that exist', async () => {
  const tables = await names(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  )
  expect(Object.keys(tableLayout).sort()).toEqual(tables)
})

it('the layout lists each reference table after the tables that it references, and distributed tables have no foreign keys', async () => {
  const { rows } = await pool().query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`,
  )
  for (const { from, to } of rows.filter((row) => referenceTables.includes(row.from))) {
    expect(referenceTables.slice(0, referenceTables.indexOf(from)), `${from} refers to ${to}`).toContain(to)
  }
  for (const { table } of distributedTables) expect(rows.map(({ from }) => from)).not.toContain(table)
})

it('every unique index of a distributed table contains the distribution column', async () => {
  for (const { table, by } of distributedTables) {
    const unique = await names(
      `SELECT pg_get_indexdef(indexrelid) AS name FROM pg_index WHERE indrelid = '${table}'::regclass AND indisunique`,
    )
    expect(unique.length).toBeGreaterThan(0)
    for (const index of unique) expect(index).toMatch(new RegExp(`[(, ]"?${by}"?[,)]`))
  }
})

it('the layout lists the commit function and all triggers on tables that cannot have triggers', async () => {
  const found = await names(
    `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal
        AND tgrelid::regclass::text = ANY(ARRAY['${[...referenceTables, ...distributedTables.map(({ table }) => table)].join("','")}'])`,
  )
  const known = droppedTriggers.map(({ trigger }) => trigger)
  expect(found.filter((trigger) => !known.includes(trigger))).toEqual([])
  await pool().query('SELECT $1::regprocedure', [commitFunction.signature])
})

/** Returns the SQL statements in the source code of lib/, each with the tables that it names. */
function statementsInSource(): { file: string; text: string; tables: string[] }[] {
  const files = fs
    .readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(?:generated|testing)\//.test(file))
  return files.flatMap((file) =>
    [...fs.readFileSync(path.join('lib', file), 'utf8').matchAll(/`([^`]*)`/g)].map(([, text = '']) => {
      const named = text.matchAll(/\b(?:FROM|JOIN|USING|UPDATE|INTO)\s+(?:ONLY\s+)?"?(\w+)/gi)
      const tables = [...named].map(([, name]) => String(name)).filter((name) => name in tableLayout)
      return { file, text, tables: [...new Set(tables)] }
    }),
  )
}

it('no DELETE or UPDATE combines a reference table with a table that Citus does not manage', async () => {
  const { rows } = await pool().query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint WHERE contype = 'f'`,
  )
  // Citus also manages tables that have a foreign key to or from a reference table.
  const known = new Set(referenceTables)
  for (let before = 0; before < known.size; ) {
    before = known.size
    for (const { from, to } of rows) if (known.has(from) || known.has(to)) known.add(from).add(to)
  }
  const written = statementsInSource().filter(({ text }) => /\b(?:DELETE\s+FROM|UPDATE\s+\w+\s)/i.test(text))
  expect(written.length).toBeGreaterThan(20)
  const mixed = written.filter(
    ({ tables }) => tables.some((table) => known.has(table)) && !tables.every((table) => known.has(table)),
  )
  expect(mixed.map(({ file, tables }) => `${file}: ${tables}`)).toEqual([])
})

it('distribute fails and changes nothing in a database without Citus', async () => {
  const address = String(process.env.DATABASE_URL)
  const { rows } = await pool().query(`SELECT FROM pg_extension WHERE extname = 'citus'`)
  if (rows.length > 0) return
  await expect(distribute({ address, shards: 4, report: () => undefined })).rejects.toThrow(
    /does not have Citus/,
  )
  await pool().query('SELECT $1::regclass', ['workspaces'])
  expect(
    await names(`SELECT tgname AS name FROM pg_trigger WHERE tgname = 'workspaces_note_deleted'`),
  ).toEqual(['workspaces_note_deleted'])
})
