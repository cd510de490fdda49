import { pool } from '@/lib/base/db/pool'
import { removeExpired } from '@/lib/features/apps/authorizations/used-tables'

// Removes expired rows repeatedly, for the clean-up mode, until the process is stopped.
await pool().query('SELECT')
console.log('at work')
for (;;) await removeExpired()
