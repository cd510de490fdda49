import { endConnections, pool } from '@/lib/base/db/pool'
import { keepUsedTables, removeExpired, removeStale } from '@/lib/features/apps/authorizations/used-tables'

// Runs a background job once for the growth mode, and prints the duration in milliseconds.
const jobs: Record<string, () => Promise<unknown>> = { keepUsedTables, removeExpired, removeStale }
await pool().query('SELECT')
const since = performance.now()
await jobs[process.argv[2] ?? '']?.()
console.log(performance.now() - since)
await endConnections()
