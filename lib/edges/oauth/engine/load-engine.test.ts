import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Loads oidc-provider in a separate process that identifies as Node 20. @returns its output */
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

/** Code that collects the console output in `said`, which the program prints at the end. */
const collect = `
  const said = []
  console.warn = console.info = (...words) => said.push(words.join(' '))`

it('loadEngine suppresses oidc-provider’s warning on Node 20', () => {
  const without = saidWhileLoading(`${collect}; await import('oidc-provider'); console.log(said.join())`)
  expect(without).toContain('Unsupported runtime')
  const loaded = saidWhileLoading(
    `${collect}; await loadEngine(); await import('oidc-provider'); console.log(said.join())`,
  )
  expect(loaded.trim()).toBe('')
  // The timeout is long because two processes compile the modules that they load.
}, 60_000)

it('loadEngine suppresses no warnings from other code, either while oidc-provider loads or afterwards', () => {
  const words = `${collect}
    const loading = loadEngine(); console.warn('meanwhile'); await loading; console.warn('afterwards')
    console.log(said.join())`
  expect(saidWhileLoading(words).trim()).toBe('meanwhile,afterwards')
})
