import fs from 'node:fs'
import path from 'node:path'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { makeTemporaryData, removeLeftovers, removeTemporaryData } from '@/lib/testing/temporary-data'
import { configurationPage } from '../configuration-page'
import { securityPages } from '../security-tests'
import { verdict } from './lint'
import { add, type Tally } from './tally'
import { root, runTool } from './tool'

/**
 * Compares generated files in the repository with their sources. Each comparison counts as one test, or as
 * skipped if its prerequisites are missing.
 */
export async function drift(): Promise<Tally> {
  return [await graphqlSchema(), configuration(), securityTests(), await migrations()].reduce(add)
}

/** Compares schema.graphql with the output of `npm run schema`. */
async function graphqlSchema(): Promise<Tally> {
  const file = path.join(root, 'schema.graphql')
  if (!fs.existsSync(file)) return skipped('schema.graphql does not exist')
  const [{ printSchema }, { schema }] = await Promise.all([
    import('graphql'),
    import('@/lib/edges/graphql/schema'),
  ])
  const same = fs.readFileSync(file, 'utf8') === `${printSchema(schema)}\n`
  if (!same)
    console.log('schema.graphql does not match the code. Run `npm run schema`, and commit the result.')
  return verdict('schema.graphql', same)
}

/** Compares docs/configuration.md with the output of `npm run configuration`. */
function configuration(): Tally {
  const file = path.join(root, 'docs/configuration.md')
  const same = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === configurationPage()
  if (!same)
    console.log(
      'docs/configuration.md does not match the code. Run `npm run configuration`, and commit the result.',
    )
  return verdict('docs/configuration.md', same)
}

/** Compares docs/security with the output of `npm run security-tests`. */
function securityTests(): Tally {
  try {
    const same = [...securityPages()].every(([file, page]) => fs.readFileSync(file, 'utf8') === page)
    if (!same)
      console.log(
        'docs/security does not match its citations. Run `npm run security-tests`, and commit the result.',
      )
    return verdict('docs/security', same)
  } catch (error) {
    console.log((error as Error).message)
    return verdict('docs/security', false)
  }
}

/** Compares the result of all migrations on an empty database with schema.prisma. */
async function migrations(): Promise<Tally> {
  const prisma = prismaWithEngine()
  if (!prisma)
    return skipped(
      'migrations are not compared with schema.prisma, because Prisma’s schema engine is not installed',
    )
  removeLeftovers()
  const dir = makeTemporaryData()
  const server = await openEmbeddedDatabase(dir, { fast: true })
  try {
    await migrate(server.url, readMigrations(path.join(root, 'prisma/migrations')))
    const args = [
      'migrate',
      'diff',
      '--from-config-datasource',
      '--to-schema',
      'prisma/schema.prisma',
      '--exit-code',
    ]
    const diff = () =>
      runTool(prisma, args, {
        DATABASE_URL: server.url,
        // The wrapper stores its engine in this folder, because the home folder can be read-only or missing.
        XDG_CACHE_HOME: path.join(root, 'node_modules/.cache'),
      })
    let code = await diff()
    // The wrapper's engine sometimes ends before it has sent its result.
    for (let more = 3; more > 0 && code === 1; more--) code = await diff()
    if (code !== 0 && code !== 2)
      return skipped(`${prisma} failed with exit code ${code}; see its output above`)
    if (code === 2) console.log('prisma/migrations does not contain the changes above. Add a migration.')
    return verdict('migrations', code === 0)
  } finally {
    await server.release()
    removeTemporaryData(dir)
  }
}

/**
 * Returns a Prisma CLI that has a schema engine. The project does not download the engine. This function
 * therefore uses PRISMA_SCHEMA_ENGINE_BINARY, an engine that was downloaded before, or a wrapper of the CLI
 * that provides an engine. PRISMA_WITH_ENGINE contains the wrapper's path. If PRISMA_WITH_ENGINE is not set,
 * the wrapper must be in the folder shared/tools next to the clone.
 * @returns the program to run, as a path or a name in node_modules/.bin; undefined if there is none
 */
function prismaWithEngine(): string | undefined {
  const engines = path.join(root, 'node_modules/@prisma/engines')
  const downloaded =
    fs.existsSync(engines) && fs.readdirSync(engines).some((name) => name.startsWith('schema-engine-'))
  if (process.env.PRISMA_SCHEMA_ENGINE_BINARY || downloaded) return 'prisma'
  const wrapper = process.env.PRISMA_WITH_ENGINE ?? path.join(root, '../shared/tools/prisma')
  return fs.existsSync(wrapper) ? wrapper : undefined
}

function skipped(why: string): Tally {
  console.log(`  - skipped: ${why}`)
  return { passed: 0, failed: 0, skipped: 1 }
}
