import { PrismaPg } from '@prisma/adapter-pg'
import { LRUCache } from 'lru-cache'
import { holdBackgroundWork } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { pool } from './pool'
import { prismaPrefix } from './watch'

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

/**
 * The number of times that Prisma has sent a statement, including the current one, when the statement gets a
 * name. A rare statement gets no name. For example, the text of a statement with a list depends on the list's
 * length, and most lengths are rare.
 */
const hotAfter = 3
/**
 * The maximum number of statements that get a name. The number is limited because PostgreSQL keeps a plan for
 * each named statement on every connection.
 */
const mostNamed = 200
/**
 * The maximum length of a named statement, in characters. A longer statement usually inserts many rows, and
 * its text is rarely sent again.
 */
const longestNamed = 10_000

/**
 * Returns a name for a statement that Prisma sends often, so that PostgreSQL parses and plans it only once
 * per connection. This is the `statementNameGenerator` of Prisma's adapter.
 * @returns an empty text if the statement is rare or too long, or if `mostNamed` other statements have names;
 * the statement is then not prepared
 */
export function prismaStatementName({ sql }: { sql: string }): string {
  const { names, sent } = remember('prisma-statements', () => ({
    names: new Map<string, string>(),
    sent: new LRUCache<string, number>({ max: 1_000 }),
  }))
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= mostNamed || sql.length > longestNamed) return ''
  const times = (sent.get(sql) ?? 0) + 1
  sent.set(sql, times)
  if (times < hotAfter) return ''
  const name = `${prismaPrefix}${names.size + 1}`
  names.set(sql, name)
  return name
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

/**
 * Returns an ID in lowercase, which is the form that the database returns. PostgreSQL ignores the case of a
 * uuid, but a comparison in code or with a text column does not. Returns any other text unchanged.
 */
export const storedId = (value: string): string =>
  value.length === 36 && /[A-F]/.test(value) && isId(value) ? value.toLowerCase() : value
