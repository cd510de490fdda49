import { pool } from '@/lib/base/db/pool'
import { removeExpired } from '@/lib/features/apps/authorizations/used-tables'

// Runs the background job repeatedly until it is stopped, for the clean-up mode.
await pool().query('SELECT')
console.log('at work')
for (;;) await removeExpired()
