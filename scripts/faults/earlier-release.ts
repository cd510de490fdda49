import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { makeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/** Another release, with its own packages, in a folder for temporary files. */
export type EarlierRelease = { dir: string; run: (program: string, ...args: string[]) => void }

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/**
 * The release before this one, as far as the clone knows: the last tag before this commit, else the commit before the last one
 * that changed the schema.
 * @returns undefined where the clone has neither
 */
export function releaseBefore(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^')
  } catch {
    try {
      const changed = git('log', '-1', '--format=%h', '--', 'prisma/migrations')
      return git('rev-parse', '--short', '--verify', `${changed}^`)
    } catch {
      return undefined
    }
  }
}

/**
 * Unpacks a release and installs its packages.
 * @param commit or tag
 * @throws what git or npm ended with
 */
export function unpackRelease(commit: string): EarlierRelease {
  const dir = makeTemporaryData()
  const run = (program: string, ...args: string[]) => {
    execFileSync(program, args, {
      cwd: dir,
      env: cleanEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  const archive = path.join(dir, 'release.tar')
  execFileSync('git', ['archive', '--output', archive, commit])
  run('tar', '-xf', archive)
  run('npm', 'ci', '--silent', '--prefer-offline')
  return { dir, run }
}
