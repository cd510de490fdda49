import { PrismaPg } from '@prisma/adapter-pg'
import { holdBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { pool } from './pool'
import { prismaStatementName } from './prisma-statements'

/** Returns the process's Prisma client, which uses the connection pool. */
export const prisma = (): PrismaClient => {
  // Call `pool` even if the client exists. In a serverless function, each call also ensures that the
  // connections close before the function is frozen.
  const connections = pool()
  return remember(
    'prisma',
    () =>
      new PrismaClient({
        adapter: new PrismaPg(connections, {
          disposeExternalPool: false,
          statementNameGenerator: prismaStatementName,
        }),
        // The defaults of two and five seconds are too short on an overloaded machine.
        transactionOptions: { maxWait: 10_000, timeout: 30_000 },
      }),
  )
}

/** The Prisma client, or a transaction from `prisma().$transaction(async (tx) => ...)`. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** The maximum number of attempts at a transaction that fails because of deadlocks. */
const tries = 4

/**
 * Returns whether an error is a deadlock or a write conflict, based on Prisma's code or, for raw queries, the
 * cause.
 */
function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, meta } = error as Failed
  return code === 'P2034' || meta?.driverAdapterError?.cause?.kind === 'TransactionWriteConflict'
}

type Failed = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } }

/**
 * Runs a transaction, and runs it again if it failed because of a deadlock or a write conflict, up to `tries`
 * times in total. If tables are replicated to several machines (docs/operate/citus.md), some writes lock the
 * whole table. Transactions can then deadlock even if they have no rows in common.
 * @param work the function to run in the transaction. It can run several times, so it must not have effects
 * outside the transaction. Background work that it starts, such as sending an email, begins after the commit.
 * @param time how long the transaction can wait for a connection and run, in milliseconds, if longer than the
 * default
 * @throws the error that `work` throws, or the deadlock error after the last attempt
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

/**
 * Returns whether a text has the format of an ID. Do not compare any other text with a uuid column, because
 * PostgreSQL reports an error for it.
 */
export const isId = (value: string): boolean => uuid.test(value)
