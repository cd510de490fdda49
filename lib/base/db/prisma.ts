import { PrismaPg } from '@prisma/adapter-pg'
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
