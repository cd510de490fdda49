import { runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { removeStale } from '@/lib/features/apps/authorizations/remove-stale'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'

const everyMs = 60 * 60 * 1000

const state = () => remember('oauth-upkeep', () => ({ at: Date.now() }))

/**
 * Tidies up now and then, beside some request: so it happens on hosts without a lasting process too, where nothing runs at
 * set times (lib/base/jobs). Several replicas doing it do no harm.
 */
export function tidyNowAndThen(): void {
  const last = state()
  if (Date.now() - last.at < everyMs) return
  last.at = Date.now()
  runInBackground('removing what has expired', removeStale)
  runInBackground('making tables for used tokens', keepUsedTables)
}
