import { config } from '@/lib/base/config/env'
import { release } from '@/lib/base/config/release'
import { isLogPretty, log } from '@/lib/base/log/log'
import { describeSettings } from '@/lib/features/operator/read-settings'

/** Writes that this process serves: what it is, and which settings it was given, secrets masked. */
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
    node: process.version,
    pid: process.pid,
    ...(given.length > 0
      ? { settings: Object.fromEntries(given.map(({ name, value }) => [name, value])) }
      : {}),
  })
}
