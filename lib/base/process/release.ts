import { version } from '@/package.json'
import { remember } from './remember'

/** The commit that scripts/launch/build.ts writes into the compiled server; not declared where nothing was compiled. */
declare const BUILD_COMMIT: string | undefined

/** The product's version (semver). The version of the public interface is another one: docs/api/versioning.md. */
export const release: string = version

/**
 * Returns the commit this process was built from: up to 40 hexadecimal digits, with `+changes` if the working tree had
 * uncommitted changes.
 *
 * Next compiles this module a second time and must not be rebuilt for every commit. Its copy reuses the value of the
 * server around it, or the environment if there is none: LATCHKEY_COMMIT from the launcher, or the platform's variable.
 *
 * @returns undefined if the build knew of no commit
 */
export function releaseCommit(): string | undefined {
  const stamped = typeof BUILD_COMMIT === 'string' ? BUILD_COMMIT : undefined
  return remember(
    'commit',
    () => (stamped ?? process.env.LATCHKEY_COMMIT ?? process.env.VERCEL_GIT_COMMIT_SHA) || undefined,
  )
}

/** Returns the first 12 digits of a commit, and whether it had uncommitted changes. */
export const shortCommit = (commit: string): string => commit.replace(/^(\w{12})\w*/, '$1')

/** Returns version and commit for users: `3.0.0 (430e934b1281)`. */
export function releaseName(): string {
  const commit = releaseCommit()
  return `${release} (${commit ? shortCommit(commit) : 'commit unknown'})`
}
