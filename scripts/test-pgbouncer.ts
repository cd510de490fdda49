import { execFileSync } from 'node:child_process'
import { tracksPreparedStatements, versionOf } from '@/lib/testing/pooler'
import { inWords, testOn } from './test/other-database'

/**
 * `npm run test:pgbouncer -- [paths]`: runs the integration tests of features, or the tests below the given
 * paths, through PgBouncer in transaction mode. The tests run once with prepared statements, if the installed
 * PgBouncer supports them, and once with `pgbouncer=true`.
 */

/**
 * The folders with tests of features. lib/base/db is omitted, because its tests check direct connections,
 * which a pooler replaces.
 */
const serving = ['lib/edges', 'lib/features', 'lib/policy', 'app']

/**
 * Returns the path of PgBouncer, or undefined if it is not installed. Searches the PATH and /usr/sbin, where
 * Debian's package installs PgBouncer.
 */
function findProgram(): string | undefined {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  try {
    return execFileSync('sh', ['-c', 'command -v pgbouncer'], { env, encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

const program = findProgram()
if (!program) {
  console.error(
    'pgbouncer is not on the PATH. Install it (apt install pgbouncer, brew install pgbouncer), and run this command again.',
  )
  process.exit(1)
}
const version = await versionOf(program)
const asked = process.argv.slice(2)
const paths = asked.length > 0 ? asked : serving
const results = [`PgBouncer ${version} in transaction mode (${paths.join(' ')})`]
for (const prepared of tracksPreparedStatements(version) ? ['1', '0'] : ['0']) {
  const since = performance.now()
  const env = { TEST_POOLER: program, TEST_PREPARED: prepared }
  const result = await testOn(`pgbouncer-${prepared}`, env, paths)
  results.push(
    `${prepared === '1' ? 'prepared statements' : 'pgbouncer=true'}: ${inWords(result)} (${((performance.now() - since) / 1000).toFixed(0)} s)`,
  )
}
if (!tracksPreparedStatements(version))
  results.push('prepared statements: skipped, because this PgBouncer is older than 1.21')
console.log(`\n${results.join('\n')}`)
