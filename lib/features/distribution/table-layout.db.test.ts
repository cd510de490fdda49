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

it('says of every table where it lies, and of no other', async () => {
  const tables = await names(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  )
  expect(Object.keys(tableLayout).sort()).toEqual(tables)
})

it('lets a reference table refer to those before it, and to no other', async () => {
  const { rows } = await pool().query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`,
  )
  for (const { from, to } of rows.filter((row) => referenceTables.includes(row.from))) {
    expect(referenceTables.slice(0, referenceTables.indexOf(from)), `${from} refers to ${to}`).toContain(to)
  }
  for (const { table } of distributedTables) expect(rows.map(({ from }) => from)).not.toContain(table)
})

it('has the distribution column in every unique index of a distributed table', async () => {
  for (const { table, by } of distributedTables) {
    const unique = await names(
      `SELECT pg_get_indexdef(indexrelid) AS name FROM pg_index WHERE indrelid = '${table}'::regclass AND indisunique`,
    )
    expect(unique.length).toBeGreaterThan(0)
    for (const index of unique) expect(index).toMatch(new RegExp(`[(, ]"?${by}"?[,)]`))
  }
})

it('knows every trigger of a table that may have none, and the function that commits', async () => {
  const found = await names(
    `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal
        AND tgrelid::regclass::text = ANY(ARRAY['${[...referenceTables, ...distributedTables.map(({ table }) => table)].join("','")}'])`,
  )
  const known = droppedTriggers.map(({ trigger }) => trigger)
  expect(found.filter((trigger) => !known.includes(trigger))).toEqual([])
  await pool().query('SELECT $1::regprocedure', [commitFunction.signature])
})

it('is not begun where there is no Citus', async () => {
  const address = String(process.env.DATABASE_URL)
  const { rows } = await pool().query(`SELECT FROM pg_extension WHERE extname = 'citus'`)
  if (rows.length > 0) return
  await expect(distribute({ address, shards: 4, told: () => undefined })).rejects.toThrow(/has no Citus/)
  await pool().query('SELECT $1::regclass', ['workspaces'])
  expect(
    await names(`SELECT tgname AS name FROM pg_trigger WHERE tgname = 'workspaces_note_deleted'`),
  ).toEqual(['workspaces_note_deleted'])
})
