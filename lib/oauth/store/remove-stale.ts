import { pool } from '@/lib/db/pool'

/** The most rows one statement removes, so that none holds its locks for long. */
const atOnce = 5000

const statements = {
  // Kept a day longer, so that a device or client that comes late is told "expired" rather than "unknown".
  expired: `DELETE FROM oauth_artifacts WHERE hash IN (
    SELECT hash FROM oauth_artifacts WHERE expires_at < now() - interval '1 day' LIMIT ${atOnce})`,
  // A rotated refresh token is kept to notice its reuse; after a month nobody waits for that any more.
  rotated: `DELETE FROM oauth_artifacts WHERE hash IN (
    SELECT hash FROM oauth_artifacts
     WHERE model = 'RefreshToken' AND consumed_at < now() - interval '30 days' LIMIT ${atOnce})`,
  // Agents register anew whenever they like; what nobody ever authorized is litter.
  clients: `DELETE FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients
     WHERE source <> 'SETTINGS' AND first_authorized_at IS NULL AND created_at < now() - interval '14 days'
     LIMIT ${atOnce})`,
  orphans: `DELETE FROM oauth_artifacts WHERE hash IN (
    SELECT a.hash FROM oauth_artifacts a
     WHERE a.model = 'RegistrationAccessToken'
       AND NOT EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = a.payload->>'clientId') LIMIT ${atOnce})`,
}

/** Removes what has no use any more: expired artifacts, and self-registered clients nobody authorized in 14 days. */
export async function removeStale(): Promise<void> {
  for (const text of Object.values(statements)) await pool().query(text)
}
