import { vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { endConnections } from '@/lib/base/db/pool'
import { runShutdownTasks, withTimeout } from '@/lib/base/process/background'
import { setNameServer } from './name-server'

/** The environment at the start of this process. */
const started = { ...process.env }

const logKey = Symbol.for('latchkey.log')
const shared = globalThis as { __latchkey?: Map<string, unknown>; [logKey]?: unknown }
const startedLog = shared[logKey]
const startedFetch = globalThis.fetch

/**
 * Resets the state that the previous test file left in this process: fake timers, stubbed globals,
 * environment variables, settings, the exit code, the name server, `fetch`, the log, and the product's cached
 * state. Test files share a process, because loading the product takes longer than its tests. `alone` in
 * vitest.config.ts lists the files that need their own process.
 */
export function forgetEverything(): void {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!(name in started)) delete process.env[name]
  Object.assign(process.env, started)
  process.exitCode = undefined
  setNameServer()
  setChangedSettings({})
  resetConfig()
  globalThis.fetch = startedFetch
  shared[logKey] = startedLog
  shared.__latchkey?.clear()
}

/**
 * Runs the product's shutdown tasks, which stop the previous test file's background work, and then closes
 * that file's database connections. If this fails or takes longer than 20 seconds, for example because a test
 * broke a connection, the next file starts anyway.
 */
export async function endBackgroundWork(): Promise<void> {
  vi.useRealTimers()
  const state = shared.__latchkey
  if (!state) return
  const end = async () => {
    await runShutdownTasks()
    // If the process has no pool, for example because the file did not use the database, `endConnections`
    // would create one.
    if (state.has('pg-pool')) await endConnections()
  }
  await withTimeout(20_000, end()).catch(() => undefined)
}

/**
 * The keys under which the product's state contains the database connections (lib/base/db/pool.ts,
 * prisma.ts).
 */
const connections = ['pg-pool', 'pg-token-pool', 'pg-shared', 'pg-pool-closing', 'prisma']

/**
 * Closes the database connections and sets environment variables, which the next connection uses. Setting the
 * variables alone is not enough, because background work of the previous test file might already have opened
 * connections.
 */
export async function connectWith(settings: Record<string, string>): Promise<void> {
  if (shared.__latchkey?.has('pg-pool')) await endConnections().catch(() => undefined)
  for (const name of connections) shared.__latchkey?.delete(name)
  Object.assign(process.env, settings)
  resetConfig()
}
