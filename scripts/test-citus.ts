import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findCitus } from '@/lib/testing/citus'
import { testOn } from './test/other-database'

/**
 * `npm run test:citus -- [paths]`: runs the integration tests of what people and apps use, or those below the paths, on a Citus
 * coordinator with two workers, each test file on a database that is laid out as `latchkey distribute` does it.
 */

const programs = findCitus()
if (!programs) {
  console.log(
    'Skipped: the PostgreSQL of pg_config has no extension Citus here. PG_CONFIG names the pg_config of one that has it.',
  )
  process.exit(0)
}
const version = execFileSync(path.join(programs, 'bin/postgres'), ['-V'], { encoding: 'utf8' }).trim()
const asked = process.argv.slice(2)
const paths = asked.length > 0 ? asked : ['lib/edges', 'lib/features', 'lib/policy', 'app']
const since = performance.now()
// Every statement that writes to a reference table commits on three servers, in two phases.
const patience = ['--testTimeout=120000', '--hookTimeout=180000']
const result = await testOn('citus', { TEST_CITUS: programs }, [...patience, ...paths])
console.log(
  `\n${version} with Citus, a coordinator and two workers (${paths.join(' ')}): ${result} (${((performance.now() - since) / 1000).toFixed(0)} s)`,
)
