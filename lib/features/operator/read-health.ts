import { missingMigrations } from '@/lib/base/db/migrate'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { liveSessions } from '@/lib/features/identity/sessions/lifetime'
import { migrationNames } from '@/lib/generated/migration-names'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

const readDatabase = statement<{ version: string; bytes: string; connections: number }, []>(
  'read-health',
  `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS bytes,
          (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections`,
)

/**
 * How the instance is doing: the database, and how much there is of everything.
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function readHealth(actor: Actor) {
  authorizeInstance(actor)
  const started = performance.now()
  const [database] = await readDatabase()
  const milliseconds = performance.now() - started
  const [missing, people, suspended, workspaces, projects, apps, waiting, sessions] = await Promise.all([
    missingMigrations(pool(), [...migrationNames]),
    prisma().user.count(),
    prisma().user.count({ where: { suspendedAt: { not: null } } }),
    prisma().workspace.count(),
    prisma().project.count(),
    prisma().oAuthClient.count(),
    prisma().oAuthClient.count({ where: { awaitingApproval: true, disabledAt: null } }),
    prisma().session.count({ where: liveSessions() }),
  ])
  return {
    database: { ...(database as NonNullable<typeof database>), milliseconds, missing },
    counts: { people, suspended, workspaces, projects, apps, waiting, sessions },
  }
}
