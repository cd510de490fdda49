import fs from 'node:fs'
import path from 'node:path'
import { makingOf } from '@/lib/features/apps/authorizations/used-tables'
import { type BenchDatabase, query } from '../machine/database'

/** A named database size. The numbers of rows are in addition to the rows that `ensurePopulation` inserts. */
export type Size = { name: string; tokens: number; users: number; projects: number }

const uuid = (kind: number, n: string) =>
  `('10000000-0000-7000-800${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** A table, and the query whose rows are loaded into the table. */
type Load = { table: string; columns: string; rows: string }

/** The ages, in weeks, of the tables of used tokens to fill. */
const weeksAgo = [0, 1, 2, 3, 4]

/**
 * Returns the name of the table of tokens that were used the given number of weeks ago, and the SQL that
 * creates it.
 */
export const tableOf = (weeks: number) => makingOf(Date.now() - weeks * 7 * 86_400_000)

/** The age of the oldest filled table, in weeks. */
export const oldestWeek = Math.max(...weeksAgo)

const tokenColumns = 'hash, model, authorization_id, family, payload, created_at, expires_at'
const tokens = (which: string, further = '') => `
  SELECT sha256(('fill' || g)::bytea), CASE WHEN g % 2 = 0 THEN 'RefreshToken' ELSE 'AccessToken' END, z.id,
          sha256(('family' || g / 8)::bytea), t.payload, now(), now() + interval '30 days'${further}
     FROM ${which} g
     JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM authorizations WHERE client_id = 'bench-native') z
       ON z.n = 1 + g % 10000
    CROSS JOIN (SELECT payload FROM oauth_artifacts WHERE model = 'RefreshToken' LIMIT 1) t`

/**
 * Returns queries for the rows to load into each table. Half of the tokens are access tokens, and half are
 * refresh tokens. Nine in ten refresh tokens were used in recent weeks, and the responses to these refreshes
 * are still stored for repeated requests. Tokens belong to the benchmark's users. Projects belong to new
 * workspaces and have new users as members.
 */
const loads = ({ tokens: count, users, projects }: Size): Load[] => [
  ...weeksAgo.map((weeks, i) => ({
    table: tableOf(weeks).table,
    columns: `${tokenColumns}, consumed_at, replay`,
    rows: `${tokens(
      `generate_series(2, ${count}, 2)`,
      `, now() - ${weeks} * interval '7 days', convert_to(repeat(md5(g::text), 26), 'UTF8')`,
    )} WHERE g % 20 > 0 AND g / 20 % ${weeksAgo.length} = ${i}`,
  })),
  {
    table: 'oauth_artifacts',
    columns: tokenColumns,
    rows: `${tokens(`generate_series(1, ${count})`)} WHERE g % 2 = 1 OR g % 20 = 0`,
  },
  {
    table: 'users',
    columns: 'id, name, email, updated_at',
    rows: `SELECT ${uuid(1, 'g')}, 'User ' || g, 'p' || g || '@example.test', now() FROM generate_series(1, ${users}) g`,
  },
  {
    table: 'workspaces',
    columns: 'id, slug, name, updated_at',
    rows: `SELECT ${uuid(2, 'g')}, 'w' || g, 'Workspace ' || g, now() FROM generate_series(1, ${users}) g`,
  },
  {
    table: 'workspace_members',
    columns: 'workspace_id, user_id, role',
    rows: `SELECT ${uuid(2, 'g')}, ${uuid(1, 'g')}, 'ADMIN'::role FROM generate_series(1, ${users}) g`,
  },
  {
    table: 'projects',
    columns: 'id, workspace_id, name, updated_at',
    rows: `SELECT ${uuid(5, 'g')}, ${uuid(2, `1 + g % ${Math.max(users, 1)}`)}, 'Project ' || g, now()
     FROM generate_series(1, ${projects}) g`,
  },
  {
    table: 'project_members',
    columns: 'project_id, user_id, role',
    rows: `SELECT ${uuid(5, 'g')}, ${uuid(1, `1 + (g + k * 7) % ${Math.max(users, 1)}`)}, 'MEMBER'::role
     FROM generate_series(1, ${projects}) g, generate_series(0, 1) k`,
  },
]

/**
 * A query for the indexes to drop before a load. Creating these indexes after the load takes a fraction of
 * the time that is needed to update them during the load.
 */
const furtherIndexes = `SELECT indexname AS name, indexdef AS sql FROM pg_indexes
  WHERE tablename = 'oauth_artifacts' AND indexname NOT LIKE '%_pkey'`

/**
 * Creates the tables of used tokens, and loads rows into all tables with COPY from a file on the PostgreSQL
 * server. Drops the `furtherIndexes` before the load and creates them again after the load. The rows are
 * consistent, so foreign keys are not checked.
 */
export async function fill(databaseUrl: string, database: BenchDatabase, size: Size): Promise<void> {
  for (const weeks of weeksAgo) {
    await query(
      databaseUrl,
      `CREATE TABLE IF NOT EXISTS ${tableOf(weeks).table} () INHERITS (oauth_artifacts)`,
    )
  }
  const indexes = await query<{ name: string; sql: string }>(databaseUrl, furtherIndexes)
  for (const { name } of indexes) await query(databaseUrl, `DROP INDEX ${name}`)
  const file = path.join(database.dir, 'rows')
  for (const { table, columns, rows } of loads(size)) {
    await query(
      databaseUrl,
      `SET session_replication_role = replica;
       COPY (${rows}) TO '${file}' (FORMAT binary);
       COPY ${table} (${columns}) FROM '${file}' (FORMAT binary)`,
    )
    fs.rmSync(file)
  }
  for (const { sql } of indexes) await query(databaseUrl, sql)
  for (const weeks of weeksAgo) await query(databaseUrl, tableOf(weeks).sql)
  await query(databaseUrl, 'VACUUM ANALYZE')
  await query(databaseUrl, 'CHECKPOINT')
}
