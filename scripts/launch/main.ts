import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { config } from '@/lib/base/config/env'
import { checkConnection } from '@/lib/base/db/check-connection'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { checkSettings, dataDir, hasOwnDatabase, provideSettings } from '@/lib/base/db/embedded/settings'
import { readMigrations, settleMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { onShutdown, runShutdownTasks } from '@/lib/base/process/background'
import type * as Admin from '@/lib/features/instance-admin/create-admin'
import type * as Seed from '@/prisma/seed'
import { pack } from '../pack/pack'
import { announceDemo, announceReady, warnOfDemoPassword } from './announce'
import { buildPages, buildPublicFiles, buildServer } from './build'
import type { Context } from './context'
import { type Ending, endWithSignals } from './ending'
import { writeExampleSettings } from './example-settings'
import { generate } from './generate'
import { migrateAtBuild } from './release'
import { serve } from './serve'

/**
 * Generates, builds, packs, or migrates as the mode requires, and releases the build lock. In a mode that
 * serves, then opens and migrates the database, creates the demo and the first instance admin if they are
 * configured, and starts the server. In this case, returns when the server responds, and the process
 * continues until a signal ends it. If the start fails, stops everything that was started.
 * @throws Error with a message for the instance admin
 */
export async function main(context: Context): Promise<void> {
  const { mode, release, leaveSignals } = context
  try {
    if (serves(mode)) checkSettings()
    await generate(context)
    if (mode !== 'commands') await buildPublicFiles(context)
    if (mode !== 'generate' && mode !== 'release') await buildServer(context)
    if (['build', 'serve', 'next', 'release'].includes(mode)) await buildPages(context)
    if (mode === 'build') await pack(context)
    if (mode === 'release') await migrateAtBuild(context)
  } finally {
    release()
  }
  leaveSignals()
  if (!serves(mode)) return

  const ending = endWithSignals()
  try {
    await startEverything(context, ending)
  } catch (error) {
    await ending.undo()
    throw error
  }
}

const serves = (mode: Context['mode']) => mode === 'serve' || mode === 'dev' || mode === 'next'

async function startEverything(context: Context, ending: Ending): Promise<void> {
  const { root, mode, step } = context
  Object.assign(process.env, { NODE_ENV: mode === 'dev' ? 'development' : 'production' })
  const embedded = await openDatabase(context, ending)
  provideSettings(root, embedded)
  onShutdown('database connections', endConnections)
  ending.before(runShutdownTasks)
  const { applied, edited } = await step(
    'Migrating the database',
    () => settleMigrations(readMigrations(path.join(root, 'prisma/migrations'))),
    { quietBelow: 500 },
  )
  if (applied.length > 0)
    console.log(`    applied ${applied.length > 5 ? `${applied.length} migrations` : applied.join(', ')}`)
  for (const name of edited) console.warn(`    warning: migration ${name} was changed after it was applied`)
  if (config().SEED_DEMO) {
    const seed = await load<typeof Seed>(root, 'dist/seed.js')
    const chosen = process.env.DEMO_PASSWORD || undefined
    announceDemo(await seed.seedDemo(chosen))
    await warnOfDemoPassword(chosen)
    await writeExampleSettings(root, seed.seedExampleApp)
  }
  const { createFirstAdmin } = await load<typeof Admin>(root, 'dist/create-admin.js')
  await createFirstAdmin()
  await serve(context, ending)
  announceReady(mode)
}

/**
 * Starts the embedded database and returns its URL. The process exits if this database stops unexpectedly. If
 * DATABASE_URL is set, checks the connection to that database instead and returns undefined.
 */
async function openDatabase({ root, step }: Context, ending: Ending): Promise<string | undefined> {
  if (hasOwnDatabase()) {
    await checkConnection(String(process.env.DATABASE_URL))
    return undefined
  }
  const opening = step('Starting the embedded PostgreSQL', () => openEmbeddedDatabase(dataDir(root)))
  ending.before(async () => (await opening.catch(() => undefined))?.release())
  const database = await opening
  ending.atOnce(database.abandon)
  database.onGone(() =>
    ending.fail(
      `The embedded PostgreSQL has ended. See its log at ${database.log}, then start Latchkey again.`,
    ),
  )
  if (database.relocated) {
    console.log(`    PostgreSQL cannot run as root, and its account has no access to ${dataDir(root)}.`)
    console.log(`    The data is in ${database.dir}.`)
  }
  return database.url
}

/**
 * Loads a part of the server that buildServer compiled. This launcher cannot import modules that use the
 * Prisma client, because a fresh clone compiles the launcher before it generates that client.
 */
const load = <T>(root: string, file: string): Promise<T> => import(pathToFileURL(path.join(root, file)).href)
