import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'

/** Of the connections a process may open, those that reads by key share (shared-reads.ts). */
export const SHARED_CONNECTIONS = 2

/** What every connection of the product is opened with. */
export const connectionSettings = () => ({
  connectionString: config().DATABASE_URL,
  connectionTimeoutMillis: 10_000,
  application_name: 'latchkey',
})

/** The one connection pool of the process; Prisma uses it too. */
export const pool = (): pg.Pool =>
  remember('pg-pool', () => {
    const made = new pg.Pool({
      ...connectionSettings(),
      max: Math.max(1, config().DATABASE_POOL - SHARED_CONNECTIONS),
      idleTimeoutMillis: 60_000,
    })
    // An idle connection that the server closed is replaced on the next use; it must not end the process.
    made.on('error', (error) => console.error(`database connection lost: ${error.message}`))
    return made
  })
