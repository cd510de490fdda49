import { unseal } from '@/lib/base/credentials/seal'
import { pool } from '@/lib/base/db/pool'
import { type SealedColumn, sealedColumns } from './sealed-columns'

/**
 * Opens a few of the values that are stored sealed, so that a process whose SECRET_KEY and SECRET_KEY_PREVIOUS do not open
 * them does not start, rather than be ready and answer with 500.
 * @throws Error with one sentence for the operator; never what was stored
 */
export async function checkSecretKey(): Promise<void> {
  for (const column of sealedColumns) {
    for (const sealed of await firstAndLast(column)) {
      try {
        unseal(sealed, column.purpose)
      } catch {
        throw new Error(
          `SECRET_KEY does not open what is stored in this database (${column.table}): it was sealed with another one. Set the SECRET_KEY that this database was used with before, or put it into SECRET_KEY_PREVIOUS as well.`,
        )
      }
    }
  }
}

/** Sealing anew goes by the primary key, so of a column that is half done one end is under each key. */
async function firstAndLast({ table, key, column }: SealedColumn): Promise<Buffer[]> {
  const one = (order: 'ASC' | 'DESC') =>
    `(SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${key} ${order} LIMIT 1)`
  const { rows } = await pool().query<{ sealed: Buffer }>(`${one('ASC')} UNION ALL ${one('DESC')}`)
  return rows.map((row) => row.sealed)
}
