import type { TestProject } from 'vitest/node'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { makeTemporaryData, removeLeftovers, removeTemporaryData } from './temporary-data'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that each test file gets a copy of. */
    templateUrl: string
  }
}

/**
 * Starts one PostgreSQL for all integration tests and migrates the database that they clone. It is always an embedded
 * one in a fresh folder: there is no setting that points the tests at any other.
 * @returns stops the server and removes its data
 */
export default async function startTemplateDatabase(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers()
  const dir = makeTemporaryData()
  const server = await openEmbeddedDatabase(dir, { database: 'template', fast: true })
  await migrate(server.url, readMigrations('prisma/migrations'))
  project.provide('templateUrl', server.url)
  return async () => {
    await server.release()
    removeTemporaryData(dir)
  }
}
