import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { unknownResourceType } from './recorded-actions'

/** The resource types in the code that records events. */
const recorded = fs
  .readdirSync('lib/features', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => fs.readFileSync(path.join('lib/features', file), 'utf8'))
  .filter((source) => source.includes('recordEvent'))
  .flatMap((source) =>
    [...source.matchAll(/\{\s*type: '([a-z_]+)',\s*id\b/g)].map(([, type]) => type as string),
  )

it('unknownResourceType returns undefined for every recorded resource type', () => {
  expect(recorded).toContain('passkey')
  expect(recorded.length).toBeGreaterThan(40)
  const unknown = recorded.filter((type) => unknownResourceType(type) !== undefined)
  expect([...new Set(unknown)]).toEqual([])
})
