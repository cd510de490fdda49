import { config, resetConfig } from '@/lib/base/config/env'
import { type BreakablePath, breakablePath } from './breakable-path'

/**
 * Puts a path that can be broken between this process and its database. Call it before anything has connected.
 * @param timeout DATABASE_TIMEOUT from here on, in seconds
 */
export async function breakableDatabasePath(timeout: number): Promise<BreakablePath> {
  const through = new URL(config().DATABASE_URL)
  const path = await breakablePath(through)
  through.hostname = '127.0.0.1'
  through.port = String(path.port)
  Object.assign(process.env, { DATABASE_URL: through.href, DATABASE_TIMEOUT: String(timeout) })
  resetConfig()
  return path
}
