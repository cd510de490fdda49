import { PrismaPg } from '@prisma/adapter-pg'
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

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether a text can be an ID. Anything else names nothing and must not reach a uuid column. */
export const isId = (value: string): boolean => uuid.test(value)
