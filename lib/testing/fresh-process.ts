import { vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { endConnections } from '@/lib/base/db/pool'
import { runShutdownTasks } from '@/lib/base/process/background'
import { askNameServer } from './name-server'

/** The environment in which this process started. */
const started = { ...process.env }

const logKey = Symbol.for('latchkey.log')
const shared = globalThis as { __latchkey?: Map<string, unknown>; [logKey]?: unknown }
const startedLog = shared[logKey]
const startedFetch = globalThis.fetch

/**
 * Ends what the test file before has left in this process: mocks, timers, the environment, settings, and everything that
 * the product remembers. Test files share a process, because loading the product anew for each takes longer than its tests;
 * `alone` in vitest.config.ts lists the files that need a process of their own.
 */
export function forgetEverything(): void {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!(name in started)) delete process.env[name]
  Object.assign(process.env, started)
  process.exitCode = undefined
  askNameServer()
  setChangedSettings({})
  resetConfig()
  globalThis.fetch = startedFetch
  shared[logKey] = startedLog
  shared.__latchkey?.clear()
}

/** Stops background work and closes the connections to the database of the test file before. */
export async function endEverything(): Promise<void> {
  vi.useRealTimers()
  if (!shared.__latchkey) return
  await runShutdownTasks()
  // A test may have closed them already.
  if (shared.__latchkey.has('pg-pool')) await endConnections().catch(() => undefined)
}

/** What the product remembers of its connections to the database (lib/base/db/pool.ts, prisma.ts). */
const connections = ['pg-pool', 'pg-token-pool', 'pg-shared', 'pg-pool-closing', 'prisma']

/**
 * Sets variables of the environment and makes the product connect with them. Background work of the test file before can
 * have connected in the meantime, so that setting the variables alone is not enough.
 */
export async function connectWith(settings: Record<string, string>): Promise<void> {
  if (shared.__latchkey?.has('pg-pool')) await endConnections().catch(() => undefined)
  for (const name of connections) shared.__latchkey?.delete(name)
  Object.assign(process.env, settings)
  resetConfig()
}
