import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/**
 * `npm run drill:upgrade -- <commit> [paths]`: whether an earlier release, from its commit and with its own packages, works on the
 * schema of this one, as it does while servers are exchanged one after the other, and after a rollback. Its own integration
 * tests tell, on a database with the migrations of this release.
 */

/** What serves people and apps; not what tests the schema itself. */
const serving = ['lib/edges', 'lib/features', 'lib/policy']

const [commit, ...paths] = process.argv.slice(2)
if (commit === undefined) throw new Error('Say which release: npm run drill:upgrade -- <commit or tag>')

const root = process.cwd()
const dir = makeTemporaryData()
const run = (program: string, args: string[]) =>
  execFileSync(program, args, { cwd: dir, env: cleanEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] })

try {
  const archive = path.join(dir, 'release.tar')
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: root })
  run('tar', ['-xf', archive])
  run('npm', ['ci', '--silent', '--prefer-offline'])
  run('npm', ['run', '--silent', 'generate'])
  const migrations = path.join(dir, 'prisma/migrations')
  const before = new Set(fs.readdirSync(migrations))
  fs.rmSync(migrations, { recursive: true })
  fs.cpSync(path.join(root, 'prisma/migrations'), migrations, { recursive: true })
  const newer = fs.readdirSync(migrations).filter((name) => !before.has(name))
  console.log(`${commit} on a schema with ${newer.length} newer migrations: ${newer.join(', ') || 'none'}`)
  run('npx', ['vitest', 'run', '--project=integration', ...(paths.length > 0 ? paths : serving)])
} finally {
  removeTemporaryData(dir)
}
