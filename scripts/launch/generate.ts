import fs from 'node:fs'
import path from 'node:path'
import { readMigrations } from '@/lib/base/db/migrate'
import type { Context } from './context'

const GENERATED = 'lib/generated'

/**
 * Generates lib/generated unless it is up to date: the Prisma client, and the names of this release's
 * migrations.
 */
export async function generate({ root, run, step, whenChanged }: Context): Promise<void> {
  await whenChanged(
    root,
    'generate',
    {
      sources: ['prisma/schema.prisma', 'prisma/migrations', 'prisma.config.ts', 'package-lock.json'],
      results: ['prisma/client.ts', 'migration-names.ts'].map((each) => `${GENERATED}/${each}`),
    },
    () =>
      step('Generating the database client', async () => {
        await run('prisma generate', path.join(root, 'node_modules/prisma/build/index.js'), ['generate'], {
          cwd: root,
          env: {
            ...process.env,
            // Set this variable to any program, because Prisma would otherwise download a schema engine,
            // which generating does not need.
            PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
            CHECKPOINT_DISABLE: '1',
            PRISMA_HIDE_UPDATE_MESSAGE: '1',
          },
        })
        writeMigrationNames(root)
      }),
  )
}

/**
 * Writes the names of all migrations to a module. For example, /readyz compares them with the database. The
 * names are part of the code, because bundled code does not know the location of prisma/migrations.
 */
function writeMigrationNames(root: string): void {
  const names = readMigrations(path.join(root, 'prisma/migrations')).map((migration) => migration.name)
  const source = `/** Every migration of this release, oldest first. */\nexport const migrationNames: readonly string[] = ${JSON.stringify(names, null, 2)}\n`
  fs.writeFileSync(path.join(root, GENERATED, 'migration-names.ts'), source)
}
