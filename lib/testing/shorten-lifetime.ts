import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'

/**
 * Shortens the lifetime of a stored code or token by a number of seconds, so that tests do not have to wait
 * until it expires.
 */
export async function shortenLifetime(handle: string, seconds: number): Promise<void> {
  const hash = hashCredential(handle)
  const { rows } = await pool().query<{ end: Date }>(
    'SELECT expires_at AS end FROM oauth_artifacts WHERE hash = $1',
    [hash],
  )
  const end = new Date(Number(rows[0]?.end) - seconds * 1000)
  await pool().query('UPDATE oauth_artifacts SET expires_at = $2 WHERE hash = $1', [hash, end])
}
