import { afterEach, expect, it, vi } from 'vitest'
import { release } from '@/lib/base/process/release'
import { captureLog } from '@/lib/testing/captured-log'
import { tellStart } from './tell-start'

const commit = '430e934b1281aa9febfa73656d51a3d343dd3675'
const forgetCommit = () => (globalThis as { __latchkey?: Map<string, unknown> }).__latchkey?.delete('commit')

afterEach(() => {
  vi.unstubAllEnvs()
  forgetCommit()
})

it.each([
  [commit, commit],
  ['', 'unknown'],
])('the start log names the version and the commit "%s"', (known, logged) => {
  forgetCommit()
  vi.stubEnv('LATCHKEY_COMMIT', known)
  const captured = captureLog()
  tellStart()
  captured.release()
  expect(captured.entries()[0]).toMatchObject({ release, commit: logged, node: process.version })
})
