import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { checkConnection } from '@/lib/base/db/check-connection'
import { migrateDirectly, readMigrations } from '@/lib/base/db/migrate'
import type { Context } from './context'

type Env = Record<string, string | undefined>

/**
 * Returns whether a build on a serverless platform migrates the database. If MIGRATE is set, returns true
 * unless its value is `0` or `false`. If MIGRATE is not set, returns true only for Vercel's production
 * builds. A preview build might be connected to the production database, which a preview build must not
 * change.
 */
export function migratesAtBuild(env: Env): boolean {
  const setting = env.MIGRATE?.trim() || undefined
  return setting === undefined ? env.VERCEL_ENV === 'production' : setting !== '0' && setting !== 'false'
}

/**
 * Migrates the database as the last step of a build, because a serverless platform starts no process before
 * the first request. If `migratesAtBuild` returns false, only prints a message. The previous deployment can
 * continue to serve during the migration, because migrations are compatible with the previous release
 * (docs/operate/upgrade.md).
 * @throws Error with a message for the instance admin. The error fails the build, so nothing is deployed
 */
export async function migrateAtBuild({ root, step }: Context): Promise<void> {
  if (!migratesAtBuild(process.env)) {
    console.log('    Skipped migrations: this build is not for production. To migrate anyway, set MIGRATE=1.')
    return
  }
  await checkConnection(config().DATABASE_URL)
  const { applied } = await step('Migrating the database', () =>
    migrateDirectly(readMigrations(path.join(root, 'prisma/migrations'))),
  )
  console.log(applied.length > 0 ? `    applied ${applied.join(', ')}` : '    The database is up to date.')
}
