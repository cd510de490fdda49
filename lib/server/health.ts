import { missingMigrations } from '@/lib/base/db/migrate'
import { pool } from '@/lib/base/db/pool'
import { isShuttingDown } from '@/lib/base/process/shutdown'
import { migrationNames } from '@/lib/generated/migration-names'

const json = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

/** GET /healthz: the process is alive. It asks nothing of the database, whose absence no restart would mend. */
export const alive = (): Response => json(200, { status: 'ok' })

/**
 * GET /readyz: the database answers and holds every migration of this release, and the process is not about to end; 503
 * with the reason otherwise.
 */
export async function ready(): Promise<Response> {
  if (isShuttingDown()) return json(503, { status: 'not ready', reason: 'the server is stopping' })
  try {
    const missing = await missingMigrations(pool(), [...migrationNames])
    if (missing.length === 0) return json(200, { status: 'ready' })
    return json(503, { status: 'not ready', reason: 'migrations are missing', missing })
  } catch (error) {
    console.error(`not ready: ${error instanceof Error ? error.message : error}`)
    return json(503, { status: 'not ready', reason: 'the database does not answer' })
  }
}
