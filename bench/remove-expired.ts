import { pool } from '@/lib/base/db/pool'
import { removeExpired } from '@/lib/features/apps/authorizations/used-tables'

// The background job on its own, for the clean-up mode: over and over until it is stopped.
await pool().query('SELECT')
console.log('at work')
for (;;) await removeExpired()
