import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { databaseTarget } from '@/lib/base/db/database-target'
import { missingMigrations, readMigrations } from '@/lib/base/db/migrate'
import { migrateDirectly } from '@/lib/base/db/migrate-directly'
import { PrimaryClient } from '@/lib/base/db/primary-client'
import { defineCommand, say } from './frame/command'

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'bring the database up to date',
  about:
    'Replicas that are starting wait for it, and the release before runs on with the result. With --check nothing is changed; the exit code is 1 where something is missing.',
  options: { check: { about: 'only say what is missing' } },
  needs: 'database',
  run: async ({ options, root }) => {
    const migrations = readMigrations(path.join(root, 'prisma/migrations'))
    if (options.check) {
      const missing = await findMissing(migrations.map(({ name }) => name))
      say(missing.length > 0 ? `missing: ${missing.join(', ')}` : 'The database is up to date.')
      return missing.length > 0 ? 1 : 0
    }
    const { applied, edited } = await migrateDirectly(migrations)
    say(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'The database was up to date.')
    for (const name of edited) say(`warning: ${name} was edited after it was applied`)
    return 0
  },
})

async function findMissing(names: string[]): Promise<string[]> {
  const { DATABASE_URL, DATABASE_CA } = config()
  const client = new PrimaryClient(databaseTarget(DATABASE_URL, DATABASE_CA))
  await client.connect()
  try {
    return await missingMigrations(client, names)
  } finally {
    await client.end()
  }
}
