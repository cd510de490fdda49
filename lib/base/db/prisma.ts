import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { holdBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { pool } from './pool'

/** The one Prisma client of the process, over the shared pool. */
export const prisma = (): PrismaClient => {
  // Asked for each time: a function closes its connections once nobody asks any more.
  const connections = pool()
  return remember(
    'prisma',
    () =>
      new PrismaClient({
        adapter: new PrismaPg(connections, { disposeExternalPool: false }),
        // Prisma would wait two seconds for a connection and give a transaction five: too short on a starved machine.
        transactionOptions: { maxWait: 10_000, timeout: 30_000 },
      }),
  )
}

/** A client or the transaction handed to `prisma().$transaction(async (tx) => ...)`. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** How often a transaction is tried that PostgreSQL ends for the sake of another. */
const tries = 4

/** Prisma's name for a deadlock, or for rows that another transaction changed meanwhile; in statements of our own it says the cause alone. */
function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, meta } = error as Failed
  return code === 'P2034' || meta?.driverAdapterError?.cause?.kind === 'TransactionWriteConflict'
}

type Failed = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } }

/**
 * Runs a transaction, and runs it anew where it was ended to undo a deadlock: nothing of it has happened then. Where tables
 * are copied to several machines (docs/operate/citus.md), a write locks the whole table for writers of another kind, so
 * that transactions wait for each other that have no row in common.
 * @param work is called again for each try, so that it must do nothing outside of the transaction; what it starts in the background,
 *   such as a mail, begins after the try that is committed
 * @param time how long it may wait for a connection, and take, in milliseconds, where that is more than usual
 * @throws what `work` throws, and the deadlock once it came again and again
 */
export async function inTransaction<T>(
  work: (tx: Db) => Promise<T>,
  time?: { maxWait: number; timeout: number },
): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await holdBackgroundWork(() => prisma().$transaction(work, time))
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error
    }
  }
}

/**
 * Has enums turn into texts, and texts into enums, by functions that count as IMMUTABLE, in this database.
 *
 * Prisma writes `DO UPDATE SET role = $1::text::role` and asks for `RETURNING role::text`. PostgreSQL calls both STABLE,
 * because a value of an enum may be renamed, and Citus takes nothing but IMMUTABLE there. Casts of our own say what holds
 * here: values are added, and never renamed (a migration could not do it while the release before serves). They go by
 * `varchar`, whose casts are PostgreSQL's own.
 */
export async function declareEnumsImmutable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT t.typname AS name FROM pg_type t
      WHERE t.typtype = 'e' AND t.typnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = t.oid AND casttarget = 'text'::regtype)`,
  )
  for (const { name } of rows) {
    await client.query(`
      BEGIN;
      CREATE FUNCTION text_of_enum(${name}) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::varchar::text';
      CREATE FUNCTION ${name}_of_text(text) RETURNS ${name} LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::varchar::${name}';
      CREATE CAST (${name} AS text) WITH FUNCTION text_of_enum(${name}) AS ASSIGNMENT;
      CREATE CAST (text AS ${name}) WITH FUNCTION ${name}_of_text(text);
      COMMIT`)
  }
}

/** Whether that was done here before, so that enums which are new need it too. */
export async function areEnumsImmutable(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_proc WHERE proname = 'text_of_enum' LIMIT 1`)
  return rowCount === 1
}
