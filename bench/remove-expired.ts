import { removeExpired } from '@/lib/authorizations/remove-stale'
import { pool } from '@/lib/db/pool'

// The background job on its own, for the clean-up mode: over and over until it is stopped.
await pool().query('SELECT')
console.log('at work')
for (;;) await removeExpired()
