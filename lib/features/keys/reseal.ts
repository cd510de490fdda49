import { setTimeout as sleep } from 'node:timers/promises'
import { isUnderFormerKey, type StoredPurpose, seal, unseal } from '@/lib/base/credentials/seal'
import { pool } from '@/lib/base/db/pool'
import { keepFormerKeys } from './former-keys'

/** A column whose values are sealed. */
export type SealedColumn = {
  table: string
  /** The primary key, and its type. */
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
 * Every column that is sealed, by what it is sealed for. Whoever seals something new says here where it lies: the compiler
 * asks for each purpose, and a test for each column of bytes in the schema.
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

/** All of them, those that everything depends on first. */
export const sealedColumns: readonly SealedColumn[] = Object.values(byPurpose).flat()

/** What was found in one column. */
export type ColumnReport = {
  name: string
  /** Values that are there. */
  values: number
  /** Those that were sealed anew just now. */
  resealed: number
  /** Those that are still sealed with a key of SECRET_KEY_PREVIOUS. */
  former: number
  /** Those that none of the keys opens. */
  unreadable: number
}

type Row = { key: string; sealed: Buffer }

type Options = {
  /** Only looks. */
  check?: boolean
  /** Hears of each batch: how far the column is. */
  progress?: (report: ColumnReport) => void
  /** Rows read at a time. */
  batch?: number
}

/** Few enough that nobody waits for them. */
const usualBatch = 500

/**
 * Seals everything that a key of SECRET_KEY_PREVIOUS had sealed with SECRET_KEY, while the product runs: a value that
 * somebody else changes meanwhile is left as they wrote it. It may be ended at any time and run again.
 * See ADR 0051.
 * @returns what it found; nothing of it is `former` once all is sealed with SECRET_KEY
 */
export async function reseal(options: Options = {}): Promise<ColumnReport[]> {
  if (!options.check) await keepFormerKeys()
  const reports: ColumnReport[] = []
  for (const column of sealedColumns) reports.push(await walk(column, options))
  return reports
}

/** Goes through one column by its primary key, resting after each batch as long as it took. */
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
    // What could not be replaced was changed by somebody, who sealed it with the key that counts.
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

/** Interpolates only the names of `sealedColumns`; no input reaches the text of a statement. */
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

/** Replaces each value that is still what was read. @returns how many */
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
 * Opens a few of the values that are stored sealed, so that a process whose SECRET_KEY and SECRET_KEY_PREVIOUS do not open
 * them does not start, rather than be ready and answer with 500.
 * @throws Error with one sentence for the instance admin; never what was stored
 */
export async function checkSecretKey(): Promise<void> {
  for (const column of sealedColumns) {
    for (const sealed of await firstAndLast(column)) {
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

/** Sealing anew goes by the primary key, so of a column that is half done one end is under each key. */
async function firstAndLast({ table, key, column }: SealedColumn): Promise<Buffer[]> {
  const one = (order: 'ASC' | 'DESC') =>
    `(SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${key} ${order} LIMIT 1)`
  const { rows } = await pool().query<{ sealed: Buffer }>(`${one('ASC')} UNION ALL ${one('DESC')}`)
  return rows.map((row) => row.sealed)
}
