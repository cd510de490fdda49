import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { withPatience } from '@/lib/base/db/with-patience'
import { providerName } from '@/lib/policy/required-sso'
import { reuseNoticedDays } from './used-tables'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 50_000

/**
 * Artifacts past their end; it has an index to go by, so it may run every minute. They are kept a day longer, so that a
 * device or client that comes late is told "expired" rather than "unknown".
 */
const expired = {
  table: 'ONLY oauth_artifacts',
  key: 'hash',
  where: `expires_at < now() - interval '1 day'`,
}

/** What can only be found by reading a whole table. */
const unused = [
  // A rotated refresh token is kept to notice its reuse; after a month nobody waits for that any more. Most lie in tables that are
  // dropped (used-tables.ts): these are those that the release before left, or that no table was there for.
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RefreshToken' AND consumed_at < now() - interval '${reuseNoticedDays} days'`,
  },
  // Agents register anew whenever they like; what nobody ever authorized is litter.
  {
    table: 'oauth_clients',
    key: 'id',
    where: `source <> 'SETTINGS' AND first_authorized_at IS NULL AND created_at < now() - interval '14 days'`,
  },
  // Whoever was not told of a sign-out in a week will not be; and a session that ran out ended without one.
  {
    table: 'app_sign_ins',
    key: 'id',
    where: `ended_at < now() - interval '7 days'
      OR session_id IN (SELECT id FROM sessions WHERE expires_at < now() - interval '7 days')`,
  },
  // What happened around an app is told for a month.
  { table: 'app_events', key: 'id', where: `created_at < now() - interval '30 days'` },
  // An app's page shows a month of what it did.
  { table: 'app_usage', key: 'ctid', where: `day < current_date - 60` },
  { table: 'workspace_app_usage', key: 'ctid', where: `day < current_date - 60` },
  // Whom the providers of workspaces knew goes with them, but for those that the release before deletes, and for what it left.
  {
    table: 'identities',
    key: 'ctid',
    where: `provider LIKE '${providerName('%')}' AND NOT EXISTS (
      SELECT 1 FROM workspace_identity_providers ip WHERE identities.provider = '${providerName('')}' || ip.workspace_id)`,
  },
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RegistrationAccessToken'
      AND NOT EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = oauth_artifacts.payload->>'clientId')`,
  },
]

/** Removes expired artifacts. @returns how many */
export const removeExpired = (): Promise<number> => deleteInBatches(expired, performance.now() + longestMs)

/** Removes all that has no use any more: also rotated tokens of a month ago, clients that nobody ever authorized, what apps did two months ago, and whom providers knew of workspaces that are gone. */
export async function removeStale(): Promise<void> {
  const until = performance.now() + longestMs
  await withPatience(async (db) => {
    for (const each of [expired, ...unused]) await deleteInBatches(each, until, db)
  })
}
