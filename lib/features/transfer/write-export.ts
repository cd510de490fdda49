import type pg from 'pg'
import { withPatience } from '@/lib/base/db/with-patience'
import { newHeader } from './transfer-header'
import { transferredTables } from './transferred-tables'

/** Rows read at a time. */
const batch = 200

/**
 * Hands over what this installation holds, line by line as of one moment, while it goes on being used: a header, a line for
 * each row (`{"table":"users","row":{...}}`), and one that says that nothing is missing.
 * @param write takes some lines, each with its line feed; what it returns is waited for
 * @returns how many rows of each table
 */
export const writeExport = (write: (lines: string) => Promise<void>): Promise<Map<string, number>> =>
  withPatience(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await write(`${JSON.stringify(newHeader())}\n`)
    const counts = new Map<string, number>()
    for (const { name, where = 'true' } of transferredTables) {
      // Names of ours, never a caller's text.
      await client.query(
        `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${name} t WHERE ${where}`,
      )
      counts.set(name, await writeRows(client, name, write))
      await client.query('CLOSE rows')
    }
    await client.query('COMMIT')
    await write(`${JSON.stringify({ end: true, rows: sum(counts) })}\n`)
    return counts
  })

async function writeRows(
  client: pg.Client,
  table: string,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  for (let count = 0; ; ) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${batch} FROM rows`)
    // As PostgreSQL wrote it: a number that JavaScript cannot hold stays whole.
    if (rows.length > 0) await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(''))
    count += rows.length
    if (rows.length < batch) return count
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)
