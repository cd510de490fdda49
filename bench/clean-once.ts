import { endConnections, pool } from '@/lib/base/db/pool'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { removeExpired, removeStale } from '@/lib/features/apps/remove-stale'

// Runs one background job once, and prints the job's duration in milliseconds. The first argument is the
// job's name. The growth mode starts this program.
const jobs: Record<string, () => Promise<unknown>> = { keepUsedTables, removeExpired, removeStale }
await pool().query('SELECT')
const since = performance.now()
await jobs[process.argv[2] ?? '']?.()
console.log(performance.now() - since)
await endConnections()
