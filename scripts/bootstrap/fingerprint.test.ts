import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint, whenChanged } from './fingerprint.mjs'
import { isInstalled } from './install.mjs'

let root: string
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'fingerprint-'))
})
afterEach(() => fs.rmSync(root, { recursive: true }))

const write = (file: string, content: string) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), content)
}

describe('fingerprint', () => {
  it('changes only if the name or content of a source file in the given folders changes', () => {
    write('lib/a.ts', '1')
    const first = fingerprint(root, ['lib', 'missing'])
    fs.utimesSync(path.join(root, 'lib/a.ts'), 1, 1)
    write('lib/a.test.ts', 'a test is no part of a build')
    write('app/page.tsx', 'not asked for')
    expect(fingerprint(root, ['lib', 'missing'])).toBe(first)
    write('lib/a.ts', '2')
    const second = fingerprint(root, ['lib'])
    expect(second).not.toBe(first)
    fs.renameSync(path.join(root, 'lib/a.ts'), path.join(root, 'lib/b.ts'))
    expect(fingerprint(root, ['lib'])).not.toBe(second)
  })
})

describe('whenChanged', () => {
  it('runs the work once, and again only if the sources changed, the result is missing, or the work failed', async () => {
    write('lib/a.ts', '1')
    let runs = 0
    const what = { sources: ['lib'], results: ['dist/out.js'] }
    const build = () =>
      whenChanged(root, 'build', what, async () => {
        runs++
        write('dist/out.js', 'built')
      })
    expect([await build(), await build(), runs]).toEqual([true, false, 1])
    fs.rmSync(path.join(root, 'dist/out.js'))
    expect([await build(), runs]).toEqual([true, 2])
    write('lib/a.ts', '2')
    const fails = async () => {
      throw new Error('broken')
    }
    await expect(whenChanged(root, 'build', what, fails)).rejects.toThrow('broken')
    expect([await build(), runs]).toEqual([true, 3])
  })
})

describe('isInstalled', () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': {}, ...packages } })
  const wanted = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-darwin': { version: '1.0.0', optional: true },
    'node_modules/tool': { version: '1.0.0', dev: true },
  }
  const installed = 'node_modules/.package-lock.json'

  it('compares the installed packages with the lockfile', () => {
    write('package-lock.json', lock(wanted))
    expect(isInstalled(root, { tools: false })).toBe(false)
    write(installed, lock({ 'node_modules/a': { version: '1.0.0' } }))
    expect(isInstalled(root, { tools: false })).toBe(true)
    write(installed, lock({ 'node_modules/a': { version: '0.9.0' } }))
    expect(isInstalled(root, { tools: false })).toBe(false)
    write(installed, lock({ 'node_modules/b-darwin': { version: '1.0.0' } }))
    expect(isInstalled(root, { tools: false })).toBe(false)
  })

  it('requires the development dependencies if the tools option is true', () => {
    write('package-lock.json', lock(wanted))
    write(installed, lock({ 'node_modules/a': { version: '1.0.0' } }))
    expect(isInstalled(root, { tools: true })).toBe(false)
    const tool = { version: '1.0.0', dev: true }
    write(installed, lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/tool': tool }))
    expect(isInstalled(root, { tools: true })).toBe(true)
  })
})
