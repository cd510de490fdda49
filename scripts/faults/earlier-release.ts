import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { readChangelog } from '../test/changelog'

/**
 * Another release with its own packages, in a temporary folder, and a function that runs a program in this
 * folder.
 */
export type EarlierRelease = { dir: string; run: (program: string, ...args: string[]) => void }

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/**
 * Returns the commit of the previous release from the second entry of CHANGELOG.md, so that a clone needs no
 * tags.
 * @returns undefined if the clone does not have that commit
 */
export function releaseBefore(): string | undefined {
  const [, before] = readChangelog(fs.readFileSync('CHANGELOG.md', 'utf8'))
  try {
    return git('rev-parse', '--short', '--verify', `${before?.commit}^{commit}`)
  } catch {
    return undefined
  }
}

/**
 * Prepares a built release for a drill.
 * @param release a commit or tag to unpack and build, or the folder of a built release, such as a packed one
 * @param work receives the folder, which is removed afterwards if this function created it
 */
export async function withBuiltRelease<T>(release: string, work: (dir: string) => Promise<T>): Promise<T> {
  if (fs.existsSync(path.join(release, 'dist/server.js'))) return work(path.resolve(release))
  const { dir, run } = unpackRelease(release)
  try {
    run('npm', 'run', '--silent', 'build')
    return await work(dir)
  } finally {
    removeTemporaryData(dir)
  }
}

/**
 * Unpacks a release into a temporary folder and installs its packages. The caller must remove the folder.
 * @param commit a commit or tag
 * @throws Error from git, tar, or npm
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
