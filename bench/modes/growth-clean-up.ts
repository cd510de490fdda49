import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { type BenchDatabase, query } from '../machine/database'
import { written } from '../machine/written'
import { oldestWeek, tableOf } from '../mint/fill'
import { fraction, table, whole } from '../table'

const root = path.join(import.meta.dirname, '../..')

/**
 * The number of rows that a job must delete at each database size. The number does not apply to jobs that
 * drop a table.
 */
const DELETED = 20_000

/**
 * Inserts rows that are due for removal into `oauth_artifacts`. `countDue` finds the rows by their `uid`.
 * @param columns the columns that make the rows due for removal
 * @param values the values of these columns, as SQL
 * @returns the number of rows
 */
const insert = async (url: string, columns: string, values: string): Promise<number> => {
  await query(
    url,
    `INSERT INTO oauth_artifacts (hash, model, payload, uid, ${columns})
     SELECT sha256(('${columns}' || g)::bytea), 'RefreshToken', '{"scope": "openid email profile"}', 'due', ${values}
       FROM generate_series(1, ${DELETED}) g`,
  )
  return DELETED
}

const countDue = `SELECT count(*)::int FROM ONLY oauth_artifacts WHERE uid = 'due'`

type Job = { what: string; job: string; prepare: (url: string) => Promise<number> }

/**
 * The removals to measure, each with its job. `prepare` makes rows due for removal and returns their number.
 */
const jobs: Job[] = [
  {
    what: 'a week of used refresh tokens, whose table is dropped',
    job: 'keepUsedTables',
    async prepare(url) {
      const { table: from } = tableOf(oldestWeek)
      const [row] = await query<{ count: number }>(url, `SELECT count(*)::int FROM ${from}`)
      await query(url, `ALTER TABLE ${from} RENAME TO ${tableOf(oldestWeek + 3).table.split('.')[1]}`)
      return row?.count ?? 0
    },
  },
  {
    what: 'expired tokens, deleted with an index',
    job: 'removeExpired',
    prepare: (url) => insert(url, 'expires_at', `now() - interval '2 days'`),
  },
  {
    what: 'used tokens without a separate table, deleted by reading all live tokens',
    job: 'removeStale',
    prepare: (url) =>
      insert(url, 'expires_at, consumed_at', `now() + interval '300 days', now() - interval '31 days'`),
  },
]

/**
 * Runs each cleanup job once on each database. @returns a table of the durations, and of the costs per
 * removed row
 */
export async function cleanUpOf(
  database: BenchDatabase,
  databases: { name: string; databaseUrl: string }[],
): Promise<string> {
  const rows: string[][] = []
  for (const { what, job, prepare } of jobs) {
    for (const { name, databaseUrl } of databases) {
      const due = await prepare(databaseUrl)
      await query(databaseUrl, 'CHECKPOINT')
      const before = { cpu: database.cpu(), ...(await written(databaseUrl)) }
      const ms = Number(
        execFileSync(process.execPath, ['--import', 'tsx', 'bench/clean-once.ts', job], {
          cwd: root,
          encoding: 'utf8',
          env: {
            ...process.env,
            DATABASE_URL: databaseUrl,
            SECRET_KEY: 'the clean-up reads no encrypted values',
          },
        })
          .trim()
          .split('\n')
          .at(-1),
      )
      const after = { cpu: database.cpu(), ...(await written(databaseUrl)) }
      const [left] = await query<{ count: number }>(databaseUrl, countDue)
      const count = due - (left?.count ?? 0)
      const each = (value: number) => fraction(value / count, 1)
      rows.push([
        what,
        name,
        whole(count),
        whole(ms),
        each((after.cpu - before.cpu) * 1e6),
        each(after.log - before.log),
      ])
    }
  }
  return table(['deletion', 'database', 'rows', 'ms', 'database us per row', 'log bytes per row'], rows)
}
