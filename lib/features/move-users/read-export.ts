import type pg from 'pg'
import { withLongTimeout } from '@/lib/base/db/batches'
import { checkSecretKey } from '@/lib/features/keys/reseal'
import { lastLine, readHeader, transferredTables } from './write-export'

/** The maximum number of rows to insert per statement. */
const batch = 200

/**
 * The result of an import. `silenced` contains the numbers of webhooks and audit streams that the import
 * disabled. `underPresentKey` is a result of `readHeader`.
 */
type ImportReport = {
  rows: number
  silenced: { webhooks: number; streams: number }
  underPresentKey: boolean
}

/** Rows of one table, as JSON texts. */
type Batch = { table: string; rows: string[] }

/**
 * Imports an export into an empty database. If an error occurs, nothing is imported. See ADR 0041.
 * @param lines the lines of the file, without line feeds
 * @param sending whether to keep webhooks and audit streams enabled
 * @throws Error if the database is not empty, if the file is incomplete or was changed, if this release does
 * not support one of the tables, or if a row cannot be inserted. Also throws the errors of `readHeader` and
 * `checkSecretKey`.
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
        if (line !== lastLine(written)) throw cutOff(written)
        const silenced = sending ? { webhooks: 0, streams: 0 } : await silence(client)
        // During a rotation of SECRET_KEY, an export can contain values of two keys, but its header names
        // only one.
        await checkSecretKey(client)
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

/**
 * Disables all webhooks and audit streams. Otherwise, this instance would send messages to the original
 * instance's receivers, signed with the original secrets.
 * @returns the numbers of webhooks and audit streams that were enabled before
 */
async function silence(client: pg.Client): Promise<{ webhooks: number; streams: number }> {
  const off = async (table: string) =>
    (await client.query(`UPDATE ${table} SET disabled_at = now() WHERE disabled_at IS NULL`)).rowCount ?? 0
  return { webhooks: await off('webhooks'), streams: await off('audit_streams') }
}

const cutOff = (rows: number) =>
  new Error(
    `The export is incomplete or was changed after row ${rows}: its last line is missing or does not match. Nothing was imported.`,
  )

/**
 * Splits a line into the table name and the row's JSON, without parsing the JSON. Relies on the fixed order
 * of the keys.
 * @returns no table name if the line is not in the format of a row
 * @throws Error if this release does not support the table
 */
function split(line: string): { table?: string; row: string } {
  const [, table, row = ''] = /^\{"table":"(\w+)","row":(\{.*\})\}$/.exec(line) ?? []
  if (table === undefined) return { row }
  if (transferredTables.every(({ name }) => name !== table)) {
    throw new Error(`The export contains rows of "${table}", which this release does not support.`)
  }
  return { table, row }
}

/**
 * Requires that all tables of an export are empty. Deletes the signing keys, which the server created at its
 * first start, because the export contains other keys.
 * @throws Error if a table contains rows
 */
async function requireEmpty(client: pg.Client): Promise<void> {
  // Lock these tables until the import is committed, so that a concurrent sign-up waits and then sees the
  // imported accounts.
  await client.query('LOCK TABLE users, workspaces, oauth_clients IN SHARE ROW EXCLUSIVE MODE')
  await client.query('DELETE FROM signing_keys')
  for (const { name } of transferredTables) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`)
    if (rowCount) throw new Error(`The database is not empty (${name} has rows). Import into a new database.`)
  }
}

/**
 * Inserts rows of one table. Sets the columns that both the first row and the table contain. All other
 * columns of the table get their default values.
 */
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
