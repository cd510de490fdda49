import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { alone } from '@/vitest.config'
import { wrongLayout, wrongModules } from './layout'

it('the layout check rejects files over 400 lines, comment lines over 110 characters, and meaningless names', () => {
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(400))).toEqual([])
  expect(wrongLayout('lib/a/create-app.ts', 'x\n'.repeat(401))).toEqual([
    expect.stringContaining('401 lines'),
  ])
  expect(wrongLayout('lib/a/create-app.ts', `  // ${'x'.repeat(105)}`)).toEqual([])
  expect(wrongLayout('lib/a/create-app.ts', `x\n  // ${'x'.repeat(106)}`)).toEqual([
    expect.stringContaining('create-app.ts:2'),
  ])
  expect(wrongLayout('lib/utils/dates.ts', '')).toEqual([expect.stringContaining('"utils"')])
  expect(wrongLayout('lib/dates/helpers.ts', '')).toEqual([expect.stringContaining('"helpers"')])
})

it('the layout check accepts test files with up to 700 lines', () => {
  expect(wrongLayout('lib/a/create-app.db.test.ts', 'x\n'.repeat(700))).toEqual([])
  expect(wrongLayout('components/a/app-card.test.tsx', 'x\n'.repeat(701))).toEqual([
    expect.stringContaining('701 lines; the limit is 700'),
  ])
  expect(wrongLayout('lib/testing/oauth-flow.ts', 'x\n'.repeat(401))).toEqual([
    expect.stringContaining('the limit is 400'),
  ])
})

describe('the module check', () => {
  const lines = (count: number, ...first: string[]) => [...first, ...'x'.repeat(count).split('')].join('\n')
  const short = lines(5, 'export const name = 1')
  const wrong = (files: Record<string, string>) =>
    wrongModules(Object.entries(files).map(([file, source]) => ({ file, source }))).filter(
      (problem) => !problem.includes('only source file'),
    )

  it('rejects a short file with a single importer', () => {
    const user = lines(60, "import { name } from './name'")
    expect(wrong({ 'lib/base/a/name.ts': short, 'lib/base/a/user.ts': user })).toEqual([
      expect.stringMatching(/^lib\/base\/a\/name.ts: 6 lines, used only by lib\/base\/a\/user.ts/),
    ])
    expect(wrong({ 'lib/base/a/name.ts': lines(50, short), 'lib/base/a/user.ts': user })).toEqual([])
    expect(
      wrong({ 'lib/base/a/name.ts': short, 'lib/base/a/user.ts': user, 'lib/base/a/other.ts': user }),
    ).toEqual([])
  })

  it('accepts a short file that cannot be merged into its importer', () => {
    const user = (first: string, file = 'components/a/user.tsx') => ({ [file]: lines(60, first) })
    const other = "import { name } from '@/components/a/name'"
    expect(wrong({ 'components/a/name.tsx': lines(5, "'use client'", short), ...user(other) })).toEqual([])
    expect(
      wrong({ 'components/a/name.tsx': short, ...user("const later = () => import('./name')") }),
    ).toEqual([])
    expect(wrong({ 'components/a/name.ts': 'export type Name = string', ...user(other) })).toEqual([])
    expect(wrong({ 'components/a/name.tsx': lines(20, short), ...user(other, 'app/a/page.tsx') })).toEqual([])
    expect(wrong({ 'lib/features/a/tools.ts': short, ...user("import '@/lib/features/a/tools'") })).toEqual(
      [],
    )
  })

  it('rejects a folder with one source file or with more than 16', () => {
    const files = (count: number, folder: string) =>
      Array.from({ length: count }, (_, at) => ({ file: `${folder}/n${at}.ts`, source: '' }))
    expect(wrongModules(files(1, 'lib/base/a'))).toEqual([
      'lib/base/a: lib/base/a/n0.ts is its only source file; move it to where it is used',
    ])
    expect(wrongModules([...files(16, 'lib/base/a'), ...files(1, 'app/a')])).toEqual([])
    expect(wrongModules(files(17, 'lib/base/a'))).toEqual([
      'lib/base/a: 17 source files; merge or group them',
    ])
    expect(wrongModules(files(17, 'components/ui'))).toEqual([])
  })
})

it('every test file that vitest.config.ts runs in a separate process exists', () => {
  expect(alone.filter((file) => !existsSync(file))).toEqual([])
})
