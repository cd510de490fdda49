import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isUnderFormerKey, type StoredPurpose, seal, unseal } from '@/lib/base/credentials/seal'
import { pool } from '@/lib/base/db/pool'
import { storeFormerKeys } from './former-keys'

/** A column with encrypted values. */
export type SealedColumn = {
  table: string
  /** The name of the primary key column. */
  key: string
  keyType: 'uuid' | 'text' | 'bytea'
  column: string
  purpose: StoredPurpose
}

const column = (
  purpose: StoredPurpose,
  table: string,
  name: string,
  key = 'id',
  keyType: SealedColumn['keyType'] = 'uuid',
): SealedColumn => ({ purpose, table, column: name, key, keyType })

/**
 * All encrypted columns, grouped by the purpose of their key. When you add an encrypted column, add it here.
 * The compiler requires an entry for each purpose. A test requires that each `bytea` column in the schema is
 * listed here or among the test's exceptions.
 */
const byPurpose: Record<StoredPurpose, readonly SealedColumn[]> = {
  'signing-key': [column('signing-key', 'signing_keys', 'sealed_private', 'kid', 'text')],
  'former-key': [column('former-key', 'former_keys', 'sealed', 'fingerprint', 'bytea')],
  totp: [column('totp', 'totp_secrets', 'sealed', 'user_id')],
  'identity-provider': [
    column('identity-provider', 'workspace_identity_providers', 'sealed_secret', 'workspace_id'),
  ],
  'webhook-secret': [
    column('webhook-secret', 'webhooks', 'sealed_secret'),
    column('webhook-secret', 'webhooks', 'sealed_previous_secret'),
  ],
  'audit-stream-secret': [
    column('audit-stream-secret', 'audit_streams', 'sealed_secret', 'place_id'),
    column('audit-stream-secret', 'audit_streams', 'sealed_previous_secret', 'place_id'),
  ],
  variable: [
    column('variable', 'variables', 'sealed_value'),
    column('variable', 'deleted_variables', 'sealed_value'),
  ],
}

/** All encrypted columns, in the order in which they are processed. */
export const sealedColumns: readonly SealedColumn[] = Object.values(byPurpose).flat()

/** The result for one column. */
export type ColumnReport = {
  name: string
  values: number
  /** The number of values that were re-encrypted. */
  resealed: number
  /**
   * The number of values that are still encrypted with a key from SECRET_KEY_PREVIOUS. Always 0 without
   * `check`.
   */
  former: number
  /** The number of values that no key can decrypt. */
  unreadable: number
}

type Row = { key: string; sealed: Buffer }

type Options = {
  /** Whether to only count values, without changing them. */
  check?: boolean
  /** A function that receives the column's report after each batch. */
  progress?: (report: ColumnReport) => void
  /** The number of rows per batch. */
  batch?: number
}

/**
 * The default number of rows per batch. Small batches hold row locks only briefly, so they hardly delay other
 * queries.
 */
const usualBatch = 500

/**
 * Re-encrypts with SECRET_KEY all values that are encrypted with a key from SECRET_KEY_PREVIOUS. Also stores
 * the former keys of recovery codes (see `storeFormerKeys`). With `check`, only counts values and changes
 * nothing. The server can keep running, because values that change during the run are not overwritten. It is
 * safe to interrupt this function and run it again. See ADR 0041.
 * @returns the counts for each column
 */
export async function reseal(options: Options = {}): Promise<ColumnReport[]> {
  if (!options.check) await storeFormerKeys()
  const reports: ColumnReport[] = []
  for (const column of sealedColumns) reports.push(await walk(column, options))
  return reports
}

/**
 * Processes one column in the order of the table's primary key and pauses after each batch for as long as the
 * batch took.
 */
async function walk(
  column: SealedColumn,
  { check, progress, batch = usualBatch }: Options,
): Promise<ColumnReport> {
  const name = `${column.table}.${column.column}`
  const report: ColumnReport = { name, values: 0, resealed: 0, former: 0, unreadable: 0 }
  for (let after: string | undefined; ; ) {
    const since = performance.now()
    const rows = await nextRows(column, after, batch)
    report.values += rows.length
    const former = rows.filter(({ sealed }) => stateOf(sealed, column) === 'former')
    report.unreadable += rows.filter(({ sealed }) => stateOf(sealed, column) === 'unreadable').length
    const done = check ? 0 : await replace(column, former)
    report.resealed += done
    // Count these values only with `check`. Without `check`, each value was replaced, or it changed after the
    // query. `latchkey reseal` counts again afterwards.
    if (check) report.former += former.length
    if (rows.length > 0) progress?.(report)
    after = rows.at(-1)?.key
    if (rows.length < batch) return report
    await sleep(performance.now() - since)
  }
}

function stateOf(sealed: Buffer, { purpose }: SealedColumn): 'present' | 'former' | 'unreadable' {
  try {
    return isUnderFormerKey(sealed, purpose) ? 'former' : 'present'
  } catch {
    return 'unreadable'
  }
}

/** Returns the next batch of encrypted values. Interpolates only names from `sealedColumns`, never input. */
async function nextRows(column: SealedColumn, after: string | undefined, batch: number): Promise<Row[]> {
  const { table, key, keyType, column: name } = column
  const { rows } = await pool().query<Row>(
    `SELECT ${key}::text AS key, ${name} AS sealed FROM ${table}
      WHERE ${name} IS NOT NULL AND ($1::text IS NULL OR ${key} > $1::text::${keyType})
      ORDER BY ${table}.${key} LIMIT $2`,
    [after ?? null, batch],
  )
  return rows
}

/**
 * Replaces the values that have not changed since the query.
 * @returns the number of replaced values
 */
async function replace({ table, key, keyType, column, purpose }: SealedColumn, rows: Row[]): Promise<number> {
  if (rows.length === 0) return 0
  const { rowCount } = await pool().query(
    `UPDATE ${table} SET ${column} = new.sealed
       FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS new (key, former, sealed)
      WHERE ${table}.${key} = new.key::${keyType} AND ${table}.${column} = new.former`,
    [
      rows.map((row) => row.key),
      rows.map((row) => row.sealed),
      rows.map((row) => seal(unseal(row.sealed, purpose), purpose)),
    ],
  )
  return rowCount ?? 0
}

/**
 * Checks that SECRET_KEY or SECRET_KEY_PREVIOUS decrypts the first and the last stored value of each column.
 * Without this check, a process with wrong keys would report that it is ready and then respond to requests
 * with status 500.
 * @param db the connection of a transaction; by default, the pool
 * @throws Error with a message for the instance admin that contains no stored values
 */
export async function checkSecretKey(db: Pick<pg.Client, 'query'> = pool()): Promise<void> {
  for (const column of sealedColumns) {
    for (const sealed of await firstAndLast(db, column)) {
      try {
        unseal(sealed, column.purpose)
      } catch {
        throw new Error(
          `SECRET_KEY does not decrypt the values stored in this database (${column.table}). Set the SECRET_KEY that encrypted them, or add it to SECRET_KEY_PREVIOUS.`,
        )
      }
    }
  }
}

/**
 * Returns the first and the last value of a column, in the order of the primary key. Re-encryption follows
 * this order, so the two values can be encrypted with different keys after an interruption.
 */
async function firstAndLast(
  db: Pick<pg.Client, 'query'>,
  { table, key, column }: SealedColumn,
): Promise<Buffer[]> {
  const one = (order: 'ASC' | 'DESC') =>
    `(SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${key} ${order} LIMIT 1)`
  const { rows } = await db.query<{ sealed: Buffer }>(`${one('ASC')} UNION ALL ${one('DESC')}`)
  return rows.map((row) => row.sealed)
}
