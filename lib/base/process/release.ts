import { version } from '@/package.json'
import { remember } from './remember'

/**
 * The commit that scripts/launch/build.ts writes into the compiled server. Empty if the commit was unknown.
 * The constant does not exist in uncompiled code or in Next's copy of this module.
 */
declare const BUILD_COMMIT: string | undefined

/** The product's version (semver). The public interface has a separate version (docs/api/versioning.md). */
export const release: string = version

/**
 * Returns the commit that this process was built from: up to 40 hexadecimal digits, with `+changes` if the
 * working tree had uncommitted changes.
 *
 * Next compiles its own copy of this module without the commit, so that the pages need not be rebuilt for
 * every commit. That copy uses the commit of the server that runs it. Without our server, the copy uses an
 * environment variable: LATCHKEY_COMMIT from the launcher, or the platform's own variable.
 *
 * @returns undefined if the commit is unknown
 */
export function releaseCommit(): string | undefined {
  const stamped = typeof BUILD_COMMIT === 'string' ? BUILD_COMMIT : undefined
  return remember(
    'commit',
    () => (stamped ?? process.env.LATCHKEY_COMMIT ?? process.env.VERCEL_GIT_COMMIT_SHA) || undefined,
  )
}

/** Returns the first 12 digits of a commit, followed by `+changes` if it had uncommitted changes. */
export const shortCommit = (commit: string): string => commit.replace(/^(\w{12})\w*/, '$1')

/** Returns the version and commit as text, such as `3.0.0 (430e934b1281)` or `3.0.0 (commit unknown)`. */
export function releaseName(): string {
  const commit = releaseCommit()
  return `${release} (${commit ? shortCommit(commit) : 'commit unknown'})`
}
