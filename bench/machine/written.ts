import { query } from './database'

/** The bytes written to the write-ahead log, and the size in bytes of the tables with their indexes. */
export type Written = { log: number; stored: number }

/**
 * Returns the bytes that the PostgreSQL server has written to its write-ahead log so far for all databases,
 * and the size of Latchkey's tables in one database.
 */
export async function written(databaseUrl: string): Promise<Written> {
  const [row] = await query<{ log: string; stored: string }>(
    databaseUrl,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS log,
            (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'used_tokens'::regnamespace)) AS stored`,
  )
  return { log: Number(row?.log), stored: Number(row?.stored) }
}
