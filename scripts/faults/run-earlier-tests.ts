import fs from 'node:fs'
import path from 'node:path'
import { removeTemporaryData } from '@/lib/testing/temporary-data'
import { unpackRelease } from './earlier-release'

/**
 * `npm run drill:upgrade -- <commit> [paths]`: whether an earlier release, from its commit and with its own packages, works on the
 * schema of this one, as it does while servers are exchanged one after the other, and after a rollback. Its own integration
 * tests tell, on a database with the migrations of this release. With servers and requests: `npm run faults -- rolling`.
 */

/** What serves people and apps; not what tests the schema itself. */
const serving = ['lib/edges', 'lib/features', 'lib/policy']

const [commit, ...paths] = process.argv.slice(2)
if (commit === undefined) throw new Error('Say which release: npm run drill:upgrade -- <commit or tag>')

const { dir, run } = unpackRelease(commit)
try {
  run('npm', 'run', '--silent', 'generate')
  const migrations = path.join(dir, 'prisma/migrations')
  const before = new Set(fs.readdirSync(migrations))
  fs.rmSync(migrations, { recursive: true })
  fs.cpSync('prisma/migrations', migrations, { recursive: true })
  const newer = fs.readdirSync(migrations).filter((name) => !before.has(name))
  console.log(`${commit} on a schema with ${newer.length} newer migrations: ${newer.join(', ') || 'none'}`)
  run('npx', 'vitest', 'run', '--project=integration', ...(paths.length > 0 ? paths : serving))
} finally {
  removeTemporaryData(dir)
}
