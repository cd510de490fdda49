import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findCitus } from '@/lib/testing/citus'
import { inWords, testOn } from './test/other-database'
import { add, type Tally } from './test/tally'

/**
 * `npm run test:citus -- [paths] [--shard=3/12]`: runs the integration tests of features, or the tests below
 * the given paths, on a Citus coordinator with two workers. Each test file uses a database that is
 * distributed as with `latchkey distribute`. Skips the tests if Citus is not installed.
 */

/**
 * The number of shards that the test files are split into if the command has no arguments. Each shard has its
 * own cluster. Citus keeps processes for each database on each node. With a single cluster, the processes for
 * earlier test files would slow down later test files.
 */
const parts = 12

const programs = findCitus()
if (!programs) {
  console.log(
    'Skipped: the PostgreSQL of pg_config does not have the Citus extension. Set PG_CONFIG to the pg_config of one that does.',
  )
  process.exit(0)
}
const version = execFileSync(path.join(programs, 'bin/postgres'), ['-V'], { encoding: 'utf8' }).trim()
const asked = process.argv.slice(2)
const options = asked.filter((each) => each.startsWith('-'))
const named = asked.filter((each) => !options.includes(each))
const paths = named.length > 0 ? named : ['lib/edges', 'lib/features', 'lib/policy', 'app']
const runs =
  asked.length > 0 ? [options] : Array.from({ length: parts }, (_, i) => [`--shard=${i + 1}/${parts}`])
// Use long timeouts, because every write to a reference table commits on three servers in two phases.
const patience = ['--testTimeout=120000', '--hookTimeout=180000']

const since = performance.now()
const lines: string[] = []
let total: Tally = { passed: 0, failed: 0 }
let files = 0
for (const run of runs) {
  const result = await testOn('citus', { TEST_CITUS: programs }, [...patience, ...run, ...paths])
  total = add(total, result)
  files += result.files
  lines.push(`${[...run, ...paths].join(' ')}: ${result.files} files, ${inWords(result)}`)
}
console.log(`\n${version} with Citus, a coordinator and two workers\n${lines.join('\n')}\n`)
console.log(`${files} files in ${((performance.now() - since) / 1000).toFixed(0)} s\n${inWords(total)}`)
