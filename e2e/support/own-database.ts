import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { environment } from './environment'

const TEMPLATE = 'template'

/**
 * Starts the PostgreSQL server for all databases of `makeOwnDatabase`, and migrates the database that they
 * copy.
 */
export async function startSharedCluster(dataDir: string): Promise<EmbeddedDatabase> {
  const cluster = await openEmbeddedDatabase(dataDir, { database: TEMPLATE, fast: true })
  await migrate(cluster.url, readMigrations('prisma/migrations'))
  return cluster
}

/**
 * Creates a database for one test. The database is removed with its cluster at the end of the run.
 * @param isEmpty whether the database has no tables; by default, it has the tables from all migrations
 * @returns the database's URL
 */
export async function makeOwnDatabase({ isEmpty = false } = {}): Promise<string> {
  const url = new URL(environment().templateUrl)
  const name = `own_${randomBytes(8).toString('hex')}`
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : TEMPLATE}`)
  } finally {
    await client.end()
  }
  url.pathname = `/${name}`
  return url.href
}
