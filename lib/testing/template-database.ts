import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbeddedDatabase } from '@/lib/db/embedded/embedded-database'
import { isAlive, thisProcess } from '@/lib/db/embedded/file-lock.mjs'
import { migrate, readMigrations } from '@/lib/db/migrate'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that each test file gets a copy of. */
    templateUrl: string
  }
}

const PREFIX = 'latchkey-test-'

/**
 * Starts one PostgreSQL for all integration tests and migrates the database that they clone. It is always an embedded
 * one in a fresh folder: there is no setting that points the tests at any other.
 * @returns stops the server and removes its data
 */
export default async function startTemplateDatabase(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers()
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX))
  fs.chmodSync(dir, 0o755) // as root, the server's own account must pass through
  fs.writeFileSync(path.join(dir, 'owner.json'), JSON.stringify(thisProcess()))
  const server = await openEmbeddedDatabase(dir, { database: 'template', fast: true })
  await migrate(server.url, readMigrations('prisma/migrations'))
  project.provide('templateUrl', server.url)
  return async () => {
    await server.release()
    remove(dir)
  }
}

/** Ends servers whose test run was killed, and removes their data. */
function removeLeftovers(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const dir = path.join(os.tmpdir(), name)
    try {
      if (isAlive(JSON.parse(fs.readFileSync(path.join(dir, 'owner.json'), 'utf8')))) continue
      const pidFile = path.join(serverFolder(dir), 'cluster', 'postmaster.pid')
      if (fs.existsSync(pidFile))
        process.kill(Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
    } catch {
      // Just being made, or not ours to end.
      continue
    }
    remove(dir)
  }
}

const serverFolder = (dir: string): string => {
  const pointer = path.join(dir, 'postgres.location')
  return fs.existsSync(pointer) ? fs.readFileSync(pointer, 'utf8').trim() : path.join(dir, 'postgres')
}

function remove(dir: string): void {
  fs.rmSync(serverFolder(dir), { recursive: true, force: true, maxRetries: 5 })
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
