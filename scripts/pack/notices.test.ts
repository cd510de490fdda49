import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { notices } from './notices'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) fs.rmSync(root, { recursive: true })
})

/** Creates a repository with these files. */
function rootWith(files: Record<string, string>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-notices-'))
  roots.push(root)
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  return root
}

const manifest = (name: string, license: string, more = {}) =>
  JSON.stringify({ name, version: '1.0.0', license, ...more })

it('the notices contain each license text once, with all its packages', () => {
  const root = rootWith({
    'node_modules/a/package.json': manifest('a', 'ISC', { homepage: 'https://a.example' }),
    'node_modules/a/LICENSE': 'The same words\r\n',
    'node_modules/b/package.json': manifest('b', 'ISC'),
    'node_modules/b/license.txt': 'The same words',
  })
  const text = notices(root, ['node_modules/b', 'node_modules/a'], new Set())
  expect(text).toContain('a 1.0.0 | ISC | https://a.example\nb 1.0.0 | ISC\n\nThe same words\n')
  expect(text.match(/The same words/g)).toHaveLength(1)
})

it('the notices contain the licenses of only the vendored code that the product uses', () => {
  const root = rootWith({
    'node_modules/a/package.json': manifest('a', 'MIT'),
    'node_modules/a/LICENSE': 'Of a',
    'node_modules/a/compiled/b/LICENSE': 'Of b',
    'node_modules/a/compiled/left-out/LICENSE': 'Unused text',
  })
  const text = notices(root, ['node_modules/a'], new Set(['node_modules/a/compiled/b/index.js']))
  expect(text).toContain('Of a\n\ncompiled/b:\n\nOf b')
  expect(text).not.toContain('Unused text')
})

it('the notices supply missing MIT and LGPL texts, but cannot be created if any other license text is missing', () => {
  const root = rootWith({
    LICENSE: fs.readFileSync('LICENSE', 'utf8'),
    'scripts/pack/licenses/LGPL-3.0.txt': 'The lesser words',
    'scripts/pack/licenses/GPL-3.0.txt': 'The words',
    'node_modules/a/package.json': manifest('a', 'MIT', { author: { name: 'Ada' } }),
    'node_modules/b/package.json': manifest('b', 'LGPL-3.0-or-later'),
    'node_modules/b/README.md': 'Holds libb',
    'node_modules/c/package.json': manifest('c', 'EPL-2.0'),
  })
  const text = notices(root, ['node_modules/a', 'node_modules/b'], new Set())
  expect(text).toContain('Copyright (c) Ada\n\nPermission is hereby granted')
  expect(text).toContain('Holds libb\n\nThe lesser words\n\nThe words')
  expect(() => notices(root, ['node_modules/c'], new Set())).toThrow(
    /c has the license "EPL-2.0", but does not include its text/,
  )
})
