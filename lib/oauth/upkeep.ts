import { runInBackground } from '@/lib/config/background'
import { remember } from '@/lib/config/remember'
import { removeStale } from './store/remove-stale'

const everyMs = 10 * 60 * 1000

const state = () => remember('oauth-upkeep', () => ({ at: Date.now() }))

/**
 * Tidies up now and then, beside some request: no schedule to set up, and on hosts without a lasting process it happens
 * too. Several replicas doing it do no harm.
 */
export function tidyNowAndThen(): void {
  const last = state()
  if (Date.now() - last.at < everyMs) return
  last.at = Date.now()
  runInBackground('removing what has expired', removeStale)
}
