import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const repository = path.join(import.meta.dirname, '../..')

/** A built commit. */
export type OtherCommit = { name: string; root: string }

/**
 * Checks out a commit in its own folder, installs its packages, and builds it. Skips these steps if an
 * earlier call completed them for the same commit. The folder is outside the repository, because Next.js
 * would otherwise find a second lockfile in a parent folder.
 * @param commit a name that git can resolve
 * @returns the target's name and the folder of the build
 * @throws Error if git cannot resolve or check out the commit, or if the installation or the build fails
 */
export function buildCommit(commit: string): OtherCommit {
  const name = git('rev-parse', '--verify', '--short=10', `${commit}^{commit}`)
  const root = path.join(process.env.BENCH_DIR ?? os.tmpdir(), `latchkey-bench-${name}`)
  const built = path.join(root, '.built')
  if (!fs.existsSync(built)) {
    git('worktree', 'prune')
    if (!fs.existsSync(root)) git('worktree', 'add', '--detach', root, name)
    console.error(`Building ${name} in ${root}`)
    run(root, 'npm', 'ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund')
    run(root, process.execPath, 'scripts/start.mjs', '--build')
    fs.writeFileSync(built, '')
  }
  return { name: `latchkey@${name}`, root }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()

/**
 * Runs a program. The program's output goes to standard error, because standard output contains the report.
 */
const run = (cwd: string, program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] })
}
