import pg from 'pg'
import type { Config } from '@/lib/base/config/env'
import { databaseTarget } from '@/lib/base/db/database-target'
import type { Finding } from './inspect'

type Answer = { standby: boolean; late: number | null; host: string }

/** Looks at each server of DATABASE_REPLICA_URL. One that cannot be read from is left out by a server, which goes on without. */
export async function* inspectReplicas(settings: Config): AsyncGenerator<Finding> {
  for (const address of settings.DATABASE_REPLICA_URL) {
    yield { what: 'read replica', ...(await look(address, settings.DATABASE_CA)) }
  }
}

async function look(address: string, ca: string | undefined): Promise<Omit<Finding, 'what'>> {
  const { host } = new URL(address)
  try {
    return judge({ ...(await askReplica(address, ca)), host })
  } catch (error) {
    return { state: 'doubtful', says: `${host} cannot be read from: ${(error as Error).message}` }
  }
}

function judge({ standby, late, host }: Answer): Omit<Finding, 'what'> {
  if (!standby) {
    return {
      state: 'doubtful',
      says: `${host} is no standby; it is asked only if it shows what is written to DATABASE_URL`,
    }
  }
  const since = late === null ? 'nothing yet' : `a commit of ${late.toFixed(1)} s ago`
  return { state: 'good', says: `${host} is a standby; the last it applied is ${since}` }
}

async function askReplica(address: string, ca: string | undefined): Promise<Omit<Answer, 'host'>> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...databaseTarget(address, ca) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A table of the product: another database on the same server has none.
    const { rows } = await client.query<Omit<Answer, 'host'>>(
      `SELECT pg_is_in_recovery() AS standby,
              extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS late
         FROM (SELECT count(*) FROM database_readers) product`,
    )
    return rows[0] as Omit<Answer, 'host'>
  } finally {
    await client.end().catch(() => undefined)
  }
}
