import type { TestProject } from 'vitest/node'
import { resetConfig } from '@/lib/base/config/env'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { loadKeyRing } from '@/lib/features/keys/signing-keys'
import { startCitus } from './citus'
import { startOtherPostgres } from './other-postgres'
import { startPooler } from './pooler'
import { makeTemporaryData, removeLeftovers, removeTemporaryData } from './temporary-data'
import { applyTestEnvironment } from './test-environment'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the migrated database that each integration test file copies. */
    templateUrl: string
    /** The URL of the pooler in front of the server. Undefined if the tests do not use a pooler. */
    poolerUrl: string | undefined
    /** The URLs of the template database on each worker. Empty if the tests do not use Citus. */
    workerUrls: string[]
  }
}

/**
 * Starts a PostgreSQL server for all integration tests, and creates the migrated database that they clone.
 * First ends the remaining processes of killed test runs and removes their data. The server is always new and
 * uses a new folder, and no setting can make the tests use an existing database. If TEST_POSTGRES is the
 * folder of another PostgreSQL release, that release runs (scripts/test-postgres.ts). If TEST_POOLER is the
 * path of PgBouncer, PgBouncer runs in front of the server (scripts/test-pgbouncer.ts). If TEST_CITUS is the
 * folder of a PostgreSQL with Citus, a coordinator with two workers runs (scripts/test-citus.ts). Several
 * test projects share the server.
 * @returns a function that stops the server and removes its data, or undefined if only unit tests run
 */
export default async function startTemplateDatabase(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const chosen = project.vitest.projects.map(({ name }) => name)
  if (!chosen.some((name) => name.startsWith('integration'))) return undefined
  removeLeftovers()
  const dir = makeTemporaryData()
  const other = process.env.TEST_POSTGRES
  const citus = process.env.TEST_CITUS ? await startCitus(dir, process.env.TEST_CITUS) : undefined
  const server = citus
    ? citus.coordinator
    : other
      ? await startOtherPostgres(dir, other)
      : await openEmbeddedDatabase(dir, { database: 'template', fast: true })
  await migrate(server.url, readMigrations('prisma/migrations'))
  await createSigningKeys(server.url)
  await citus?.seal()
  const pooler = process.env.TEST_POOLER && (await startPooler(dir, process.env.TEST_POOLER, server.url))
  project.provide('templateUrl', server.url)
  project.provide('workerUrls', citus?.workers.map(({ url }) => url) ?? [])
  project.provide('poolerUrl', pooler ? pooler.url : undefined)
  return async () => {
    if (pooler) await pooler.release()
    await (citus ?? server).release()
    removeTemporaryData(dir)
  }
}

/**
 * Creates the signing keys in the template once per run, because creating an RSA key takes longer than most
 * tests.
 */
async function createSigningKeys(url: string): Promise<void> {
  const before = { ...process.env }
  applyTestEnvironment(url, 1)
  resetConfig()
  await loadKeyRing()
  await endConnections()
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  resetConfig()
}
