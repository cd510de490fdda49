import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { brokenLinks, claimsWithoutProof, missingPaths, missingSources } from './broken-links'
import { root } from './tool'

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean)
const pages = files.filter((file) => file.endsWith('.md'))
const sources = files.filter((file) => /^(app|components|lib)\/.*(?<!\.test)\.tsx?$/.test(file))
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

it.each(pages)('the links in %s lead to existing files and tests', (page) => {
  expect(brokenLinks(path.join(root, page), read(page))).toEqual([])
})

it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('the paths that %s mentions exist', (page) => {
  expect(missingPaths(root, read(page))).toEqual([])
})

it('comments mention only existing source files', () => {
  const missing = sources.flatMap((file) =>
    missingSources(read(file), files).map((line) => `${file}: ${line}`),
  )
  expect(missing).toEqual([])
})

it('the link checks report a path and a source file that do not exist', () => {
  expect(missingPaths(root, '`lib/policy`, `lib/gone.ts` and `lib/<feature>/x.ts`')).toEqual([
    'there is no lib/gone.ts',
  ])
  const source = "import a from './a.ts'\n/** See b.ts. */\n// As c.ts does.\n"
  expect(missingSources(source, ['lib/c.ts'])).toEqual(['there is no b.ts'])
})

it('every fulfilled row of the security checklists has a link', () => {
  expect(claimsWithoutProof(read('docs/security/checklists.md'))).toEqual([])
})

it('the link checks report a broken link, an unknown test title, and a fulfilled row without a link', () => {
  const own = path.join(import.meta.dirname, 'a.md')
  const links = ['[a](gone.ts)', '[`no such test`](tally.test.ts)', '[`add`](tally.ts)']
  const sound = [
    '[`the tally counts the results in the reports`](tally.test.ts#L9)',
    '[b](https://a.example/)',
    '[c](#d)',
  ]
  expect(brokenLinks(own, [...links, ...sound].join(' '))).toEqual([
    `${own}: there is no gone.ts`,
    `${own}: tally.test.ts has no test "no such test"`,
  ])
  expect(claimsWithoutProof('| 1.1 | a | met | trust us |\n| 1.2 | a | met | [b](c) |')).toEqual(['1.1'])
})
