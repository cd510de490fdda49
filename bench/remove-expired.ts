import { pool } from '@/lib/base/db/pool'
import { removeExpired } from '@/lib/features/apps/remove-stale'

// Removes expired rows repeatedly until the process is stopped. The clean-up mode starts this program.
await pool().query('SELECT')
console.log('at work')
for (;;) await removeExpired()
