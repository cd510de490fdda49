import { endConnections, pool } from '@/lib/base/db/pool'
import { keepUsedTables, removeExpired, removeStale } from '@/lib/features/apps/authorizations/used-tables'

// One run of a background job on its own, for the growth mode: prints the milliseconds that it took.
const jobs: Record<string, () => Promise<unknown>> = { keepUsedTables, removeExpired, removeStale }
await pool().query('SELECT')
const since = performance.now()
await jobs[process.argv[2] ?? '']?.()
console.log(performance.now() - since)
await endConnections()
