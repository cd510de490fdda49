import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { reuseNoticedDays } from './authorizations/used-tables'

/**
 * The number of milliseconds after which a cleanup run deletes at most one more batch for each condition. The
 * next run deletes the remaining rows.
 */
const longestMs = 50_000

/**
 * A condition for expired artifacts. PostgreSQL finds these rows with an index, so the deletion can run every
 * minute. Artifacts are kept for one more day after they expire, so that a device or client that responds
 * late receives an "expired" error instead of an "unknown" error.
 */
const expired = {
  table: 'ONLY oauth_artifacts',
  key: 'hash',
  where: `expires_at < now() - interval '1 day'`,
}

/** The conditions for unused rows. PostgreSQL can find these rows only by scanning a whole table. */
const unused = [
  // A rotated refresh token is kept for a month to detect its reuse. Most rotated tokens are in tables that
  // are dropped as a whole. Those that are still in `oauth_artifacts` were used when no such table existed.
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RefreshToken' AND consumed_at < now() - interval '${reuseNoticedDays} days'`,
  },
  // A self-registered client that no user authorized within two weeks is not needed, because agents can
  // register again at any time.
  {
    table: 'oauth_clients',
    key: 'id',
    where: `source <> 'SETTINGS' AND first_authorized_at IS NULL AND created_at < now() - interval '14 days'`,
  },
  // A sign-in that ended more than a week ago still exists only if the app was not notified, and a
  // notification that has failed for a week will not succeed. A sign-in whose session has expired needs no
  // notification.
  {
    table: 'app_sign_ins',
    key: 'id',
    where: `ended_at < now() - interval '7 days'
      OR session_id IN (SELECT id FROM sessions WHERE expires_at < now() - interval '7 days')`,
  },
  // An app's page shows a month of events, so older events are not needed.
  { table: 'app_events', key: 'id', where: `created_at < now() - interval '30 days'` },
  // An app's page shows a month of usage. Usage is deleted after two months.
  { table: 'app_usage', key: 'ctid', where: `day < current_date - 60` },
  { table: 'workspace_app_usage', key: 'ctid', where: `day < current_date - 60` },
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RegistrationAccessToken'
      AND NOT EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = oauth_artifacts.payload->>'clientId')`,
  },
]

/**
 * Deletes artifacts that expired more than a day ago.
 * @returns how many artifacts were deleted
 */
export const removeExpired = (): Promise<number> => deleteInBatches(expired, performance.now() + longestMs)

/** Deletes expired artifacts and unused rows (see `unused`). */
export async function removeStale(): Promise<void> {
  const until = performance.now() + longestMs
  await withLongTimeout(async (db) => {
    for (const each of [expired, ...unused]) await deleteInBatches(each, until, db)
  })
}
