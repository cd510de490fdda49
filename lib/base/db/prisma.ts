import { PrismaPg } from '@prisma/adapter-pg'
import { holdBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { pool } from './pool'
import { prismaStatementName } from './prisma-statements'

/** Returns the Prisma client of the process, which uses the connection pool. */
export const prisma = (): PrismaClient => {
  // On every call, because a function closes its connections when calls stop.
  const connections = pool()
  return remember(
    'prisma',
    () =>
      new PrismaClient({
        adapter: new PrismaPg(connections, {
          disposeExternalPool: false,
          statementNameGenerator: prismaStatementName,
        }),
        // The defaults, two and five seconds, are too short on an overloaded machine.
        transactionOptions: { maxWait: 10_000, timeout: 30_000 },
      }),
  )
}

/** The client, or the transaction in `prisma().$transaction(async (tx) => ...)`. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** How often to try a transaction that ends in a deadlock. */
const tries = 4

/** Prisma's code for a deadlock or a write conflict; raw queries only have the cause. */
function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, meta } = error as Failed
  return code === 'P2034' || meta?.driverAdapterError?.cause?.kind === 'TransactionWriteConflict'
}

type Failed = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } }

/**
 * Runs a transaction, and runs it again if PostgreSQL rolled it back to resolve a deadlock. If tables are copied to several
 * machines (docs/operate/citus.md), a write locks the whole table for writers of another kind, so that transactions without a
 * common row can deadlock.
 * @param work runs again on each try, so it must do nothing outside the transaction; what it starts in the background, such as
 *   an email, begins after the commit
 * @param time how long it can wait for a connection and run, in milliseconds, if longer than the default
 * @throws what `work` throws, and the deadlock after the last try
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
