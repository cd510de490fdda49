import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { migrateDirectly, missingMigrations, readMigrations } from '@/lib/base/db/migrate'
import { databaseTarget, PrimaryClient } from '@/lib/base/db/primary'
import { removeDemo } from '@/lib/features/demo/remove-demo'
import { distribute } from '@/lib/features/distribution/distribute'
import { defineCommand, say, UsageError } from './command'

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'apply missing migrations to the database',
  about:
    'Servers that start in the meantime wait for the command. Servers of the previous release keep working afterwards. With --check, nothing changes, and the exit code is 1 if migrations are missing.',
  options: { check: { about: 'only list missing migrations' } },
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
    for (const name of edited) say(`warning: the file of ${name} was edited after it was applied`)
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

export const distributeCommand = defineCommand({
  name: 'distribute',
  summary: 'distribute the tables across the Citus nodes',
  about:
    'Servers keep running. If the command is interrupted, run it again to continue. Run it again after each upgrade.',
  options: {
    shards: { about: 'number of shards of the token tables', value: 'number', default: '32' },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const shards = Number(options.shards)
    if (!Number.isInteger(shards) || shards < 1 || shards > 1024) {
      throw new UsageError('--shards must be a number from 1 to 1024.')
    }
    const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA } = config()
    const address = DATABASE_DIRECT_URL || DATABASE_URL
    await distribute({ address, ca: DATABASE_CA, shards, report: say })
    say('All tables are distributed.')
    return 0
  },
})

export const removeDemoCommand = defineCommand({
  name: 'remove-demo',
  summary: 'remove the demo users and their workspaces',
  about:
    'Permanently deletes the demo workspaces with all their projects, apps, tokens, and audit logs. If other users are members of a workspace, the command lists it and removes nothing. Requires another instance admin.',
  options: {
    'with-everything': { about: 'also removes workspaces with other members and all their data' },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const { users, workspaces } = await removeDemo({ withEverything: options['with-everything'] })
    if (users.length + workspaces.length === 0) say('There is no demo data.')
    else say(`Removed ${[...users, ...workspaces].join(', ')}, with all their data.`)
    return 0
  },
})
