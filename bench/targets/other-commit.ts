import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const repository = path.join(import.meta.dirname, '../..')

/** A built commit. */
export type OtherCommit = { name: string; root: string }

/**
 * Checks out a commit outside the repository, installs its own packages, and builds it. The folder is kept, so that the next
 * comparison with the same commit starts immediately. The folder is outside the repository, because Next.js would otherwise
 * find a second lockfile in a parent folder.
 * @param commit a name that git can resolve
 * @throws Error if git cannot resolve the commit, or if the build fails
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

/** Runs a program. Its output goes to standard error, because standard output contains the report. */
const run = (cwd: string, program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] })
}
