import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { checkConnection } from '@/lib/base/db/check-connection'
import { migrateDirectly, readMigrations } from '@/lib/base/db/migrate'
import type { Context } from './context'

type Env = Record<string, string | undefined>

/**
 * Whether a build on a platform of functions migrates the database: where it is for production, or MIGRATE says so. A build
 * of a branch may see the database of production, which it must not change.
 */
export function migratesAtBuild(env: Env): boolean {
  const told = env.MIGRATE?.trim() || undefined
  return told === undefined ? env.VERCEL_ENV === 'production' : told !== '0' && told !== 'false'
}

/**
 * Migrates as the last step of a build, because no process of a platform of functions starts before the first request. What
 * was deployed before serves on until then: migrations keep it working (docs/operate/upgrade.md).
 * @throws Error with a sentence for the operator, which fails the build, so that nothing is deployed
 */
export async function migrateAtBuild({ root, step }: Context): Promise<void> {
  if (!migratesAtBuild(process.env)) {
    console.log(
      '    left the database as it is: this build is not for production (MIGRATE=1 has it migrate all the same)',
    )
    return
  }
  await checkConnection(config().DATABASE_URL)
  const { applied } = await step('Migrating the database', () =>
    migrateDirectly(readMigrations(path.join(root, 'prisma/migrations'))),
  )
  console.log(applied.length > 0 ? `    applied ${applied.join(', ')}` : '    it is up to date')
}
