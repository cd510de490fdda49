import pg from 'pg'
import { config } from '@/lib/config/env'
import { remember } from '@/lib/config/remember'

/** The one connection pool of the process; Prisma uses it too. */
export const pool = (): pg.Pool =>
  remember('pg-pool', () => {
    const made = new pg.Pool({
      connectionString: config().DATABASE_URL,
      max: config().DATABASE_POOL,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
      application_name: 'latchkey',
    })
    // An idle connection that the server closed is replaced on the next use; it must not end the process.
    made.on('error', (error) => console.error(`database connection lost: ${error.message}`))
    return made
  })
