import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Loads the engine in a process of its own, as one that calls itself Node 20, and returns what was said. */
function saidWhileLoading(program: string): string {
  const file = path.join(import.meta.dirname, 'load-engine.ts')
  const start = `
    Object.defineProperty(process.release, 'lts', { value: 'Iron' })
    const { loadEngine } = await import(${JSON.stringify(file)})
    ${program}`
  const tsx = ['--import', 'tsx', '--input-type=module', '--eval', start]
  const env = { ...process.env, NODE_OPTIONS: '' }
  return execFileSync(process.execPath, tsx, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What reaches the console is collected and printed at the end, since it goes to either stream. */
const collect = `
  const said = []
  console.warn = console.info = (...words) => said.push(words.join(' '))`

it('suppresses the warning of oidc-provider on Node 20', () => {
  const without = saidWhileLoading(`${collect}; await import('oidc-provider'); console.log(said.join())`)
  expect(without).toContain('Unsupported runtime')
  const loaded = saidWhileLoading(
    `${collect}; await loadEngine(); await import('oidc-provider'); console.log(said.join())`,
  )
  expect(loaded.trim()).toBe('')
  // Two processes that compile what they load.
}, 60_000)

it('keeps every other warning, during the load and afterwards', () => {
  const words = `${collect}
    const loading = loadEngine(); console.warn('meanwhile'); await loading; console.warn('afterwards')
    console.log(said.join())`
  expect(saidWhileLoading(words).trim()).toBe('meanwhile,afterwards')
})
