import type pg from 'pg'
import { withLongTimeout } from '@/lib/base/db/batches'
import { readHeader, transferredTables } from './write-export'

/** Rows written at a time. */
const batch = 200

/** What came of an import; `silenced`: how many of those that send have been switched off. */
type ImportReport = {
  rows: number
  silenced: { webhooks: number; streams: number }
  underPresentKey: boolean
}

/** Rows of one table, as they stand in the file. */
type Batch = { table: string; rows: string[] }

/**
 * Fills an empty database with an export, whole or not at all.
 * See ADR 0052.
 * @param lines of the file, without their line feeds
 * @param sending whether webhooks and audit streams go on to send; else they are switched off
 * @throws Error with one sentence: the database is not empty, the file is no export or cut off, or a row does not fit
 */
export const readExport = (
  lines: AsyncIterable<string>,
  { sending }: { sending: boolean },
): Promise<ImportReport> =>
  withLongTimeout(async (client) => {
    await client.query('BEGIN')
    await requireEmpty(client)
    let underPresentKey: boolean | undefined
    let pending: Batch = { table: '', rows: [] }
    let written = 0
    const flush = async () => {
      await insert(client, pending)
      written += pending.rows.length
    }
    for await (const line of lines) {
      if (underPresentKey === undefined) {
        underPresentKey = readHeader(line).underPresentKey
        continue
      }
      const { table, row } = split(line)
      if (table === undefined) {
        await flush()
        const { end, rows } = JSON.parse(line) as { end?: boolean; rows?: number }
        if (end !== true || rows !== written) throw cutOff(written)
        const silenced = sending ? { webhooks: 0, streams: 0 } : await silence(client)
        await client.query('COMMIT')
        return { rows: written, silenced, underPresentKey }
      }
      if (pending.table !== table || pending.rows.length === batch) {
        await flush()
        pending = { table, rows: [] }
      }
      pending.rows.push(row)
    }
    throw cutOff(written)
  })

/** Switches off what would send to the receivers of the original, under its secrets. */
async function silence(client: pg.Client): Promise<{ webhooks: number; streams: number }> {
  const off = async (table: string) =>
    (await client.query(`UPDATE ${table} SET disabled_at = now() WHERE disabled_at IS NULL`)).rowCount ?? 0
  return { webhooks: await off('webhooks'), streams: await off('audit_streams') }
}

const cutOff = (rows: number) =>
  new Error(
    `The export is incomplete or was changed after row ${rows}: its last line is missing or does not match. Nothing was imported.`,
  )

/** The keys are in the order in which they were written; the row stays text. @returns no table for a line that is no row */
function split(line: string): { table?: string; row: string } {
  const [, table, row = ''] = /^\{"table":"(\w+)","row":(\{.*\})\}$/.exec(line) ?? []
  if (table === undefined) return { row }
  if (transferredTables.every(({ name }) => name !== table)) {
    throw new Error(`The export has rows of "${table}", which this release does not support.`)
  }
  return { table, row }
}

/** Signing keys are made by the first start; those of the export take their place. */
async function requireEmpty(client: pg.Client): Promise<void> {
  // Whoever signs up now waits, and is then told that somebody has.
  await client.query('LOCK TABLE users, workspaces, oauth_clients IN SHARE ROW EXCLUSIVE MODE')
  await client.query('DELETE FROM signing_keys')
  for (const { name } of transferredTables) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`)
    if (rowCount) throw new Error(`The database is not empty (${name} has rows). Import into a new database.`)
  }
}

/** Writes rows with the columns that they have; what a later release added gets its default. */
async function insert(client: pg.Client, { table, rows }: Batch): Promise<void> {
  if (rows.length === 0) return
  const { rows: known } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname = ANY($2::text[])`,
    [table, Object.keys(JSON.parse(rows[0] as string))],
  )
  const columns = known.map(({ name }) => name).join(', ')
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}
