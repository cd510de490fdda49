import { config } from '@/lib/base/config/env'
import { type BreakablePath, breakablePath } from './breakable-path'
import { connectWith } from './fresh-process'

/**
 * Puts a breakable network path between this process and its database, and closes the process's existing
 * connections to the database.
 * @param timeout the new DATABASE_TIMEOUT, in seconds
 */
export async function openBreakableDatabasePath(timeout: number): Promise<BreakablePath> {
  const through = new URL(config().DATABASE_URL)
  const path = await breakablePath(through)
  through.hostname = '127.0.0.1'
  through.port = String(path.port)
  await connectWith({ DATABASE_URL: through.href, DATABASE_TIMEOUT: String(timeout) })
  return path
}
