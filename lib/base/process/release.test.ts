import { afterEach, expect, it, vi } from 'vitest'

const commit = '430e934b14015a6f2a9f0c1d8e7b6a5f4c3d2e1b'

const loaded = async (env: Record<string, string> = {}, stamp?: string) => {
  vi.resetModules()
  ;(globalThis as { __latchkey?: Map<string, unknown> }).__latchkey?.delete('commit')
  for (const name of ['LATCHKEY_COMMIT', 'VERCEL_GIT_COMMIT_SHA']) vi.stubEnv(name, env[name])
  vi.stubGlobal('BUILD_COMMIT', stamp)
  return import('./release')
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  ;(globalThis as { __latchkey?: Map<string, unknown> }).__latchkey?.delete('commit')
})

it('releaseCommit returns the commit of the build', async () => {
  const { release, releaseCommit, releaseName } = await loaded({ LATCHKEY_COMMIT: '1'.repeat(40) }, commit)
  expect(releaseCommit()).toBe(commit)
  expect(releaseName()).toBe(`${release} (430e934b1401)`)
})

it('releaseName keeps the suffix that marks uncommitted changes', async () => {
  const { releaseName } = await loaded({}, `${commit}+changes`)
  expect(releaseName()).toMatch(/ \(430e934b1401\+changes\)$/)
})

it('releaseCommit returns undefined if no commit was known at build time', async () => {
  const { releaseCommit, releaseName } = await loaded({ LATCHKEY_COMMIT: commit }, '')
  expect(releaseCommit()).toBeUndefined()
  expect(releaseName()).toMatch(/ \(commit unknown\)$/)
})

it.each(['LATCHKEY_COMMIT', 'VERCEL_GIT_COMMIT_SHA'])(
  'releaseCommit returns %s if no commit was compiled into the server',
  async (name) => {
    const { releaseCommit } = await loaded({ [name]: commit })
    expect(releaseCommit()).toBe(commit)
  },
)

it('releaseCommit returns the server’s commit in code that was bundled without a commit', async () => {
  const server = await loaded({}, commit)
  expect(server.releaseCommit()).toBe(commit)
  vi.stubGlobal('BUILD_COMMIT', undefined)
  vi.resetModules()
  const pages = await import('./release')
  expect(pages.releaseCommit()).toBe(commit)
})
