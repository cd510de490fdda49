import fs from 'node:fs'
import path from 'node:path'
import { removeTemporaryData } from '@/lib/testing/temporary-data'
import { unpackRelease } from './earlier-release'

/**
 * `npm run drill:earlier-tests -- <commit> [paths]`: runs the integration tests of an earlier release, with
 * its own packages, on the schema of this release. In contrast, `npm run drill:upgrade` sends requests to
 * real builds of both releases.
 */

/**
 * The folders whose tests run if no paths are specified. These tests check features rather than the schema.
 */
const serving = ['lib/edges', 'lib/features', 'lib/policy']

const [commit, ...paths] = process.argv.slice(2)
if (commit === undefined) throw new Error('Specify a release: npm run drill:earlier-tests -- <commit or tag>')

const { dir, run } = unpackRelease(commit)
try {
  run('npm', 'run', '--silent', 'generate')
  const migrations = path.join(dir, 'prisma/migrations')
  const before = new Set(fs.readdirSync(migrations))
  fs.rmSync(migrations, { recursive: true })
  fs.cpSync('prisma/migrations', migrations, { recursive: true })
  const newer = fs.readdirSync(migrations).filter((name) => !before.has(name))
  console.log(`${commit} on a schema with ${newer.length} newer migrations: ${newer.join(', ') || 'none'}`)
  run('npx', 'vitest', 'run', '--project=integration*', ...(paths.length > 0 ? paths : serving))
} finally {
  removeTemporaryData(dir)
}
