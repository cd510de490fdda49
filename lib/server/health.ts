import { answerMs } from '@/lib/base/db/does-answer'
import { missingMigrations } from '@/lib/base/db/migrate'
import { pool } from '@/lib/base/db/pool'
import { answerWith } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { isShuttingDown } from '@/lib/base/process/shutdown'
import { within } from '@/lib/base/process/within'
import { isUsedTableMissing } from '@/lib/features/apps/authorizations/used-tables'
import { migrationNames } from '@/lib/generated/migration-names'
import { backgroundTrouble } from './start-background'

/** GET /healthz: the process is alive. It asks nothing of the database, whose absence no restart would mend. */
export const alive = (): Response => answerWith(200, { status: 'ok' })

/** Why a process should get no requests now, as far as it can tell itself; undefined while it should. */
export async function whyNotReady(): Promise<{ reason: string; missing?: string[] } | undefined> {
  if (isShuttingDown()) return { reason: 'the server is stopping' }
  try {
    const missing = await within(answerMs, missingMigrations(pool(), [...migrationNames]))
    return missing.length > 0 ? { reason: 'migrations are missing', missing } : undefined
  } catch (error) {
    log.warn('not ready, because the database does not answer', { error })
    return { reason: 'the database does not answer' }
  }
}

/**
 * GET /readyz: the database answers and holds every migration of this release, and the process is not about to end; 503
 * with the reason otherwise. A process serves without its background jobs, and without a table for used tokens, and says so.
 */
export async function ready(): Promise<Response> {
  const trouble = await whyNotReady()
  if (trouble) return answerWith(503, { status: 'not ready', ...trouble })
  const jobs = backgroundTrouble() === undefined ? {} : { jobs: 'not running, tried again' }
  const tokens = isUsedTableMissing() ? { usedTokens: 'no table of their own, tried again' } : {}
  return answerWith(200, { status: 'ready', ...jobs, ...tokens })
}
