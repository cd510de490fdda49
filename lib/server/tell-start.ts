import { changedSettings } from '@/lib/base/config/changed-settings'
import { contradictions } from '@/lib/base/config/contradictions'
import { config, isLocked } from '@/lib/base/config/env'
import { isLogPretty, log } from '@/lib/base/log/log'
import { release, releaseCommit } from '@/lib/base/process/release'
import { describeSettings } from '@/lib/features/operator/read-settings'

/**
 * Logs that this process serves: its release and commit, the settings it was given (secrets masked), and those that have
 * no effect.
 */
export function tellStart(): void {
  const { PORT, HOST, BASE_URL } = config()
  // A person at a terminal knows what they have typed.
  const given = isLogPretty()
    ? []
    : describeSettings(config(), process.env).filter(({ from }) => from === 'environment')
  log.info(`the server listens on port ${PORT}`, {
    address: BASE_URL,
    reach: HOST ?? 'this machine alone; HOST=0.0.0.0 opens it to others',
    release,
    commit: releaseCommit() ?? 'unknown',
    node: process.version,
    pid: process.pid,
    ...(given.length > 0
      ? { settings: Object.fromEntries(given.map(({ name, value }) => [name, value])) }
      : {}),
  })
  for (const problem of contradictions(config(), (name) => isLocked(name) || name in changedSettings())) {
    log.warn('a setting has no effect, or contradicts another', { name: problem })
  }
}
