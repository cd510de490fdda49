import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { brokenLinks, claimsWithoutProof } from './broken-links'
import { root } from './tool'

const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean)

it.each(pages)('the links of %s lead to files, and to tests that are there', (page) => {
  expect(brokenLinks(path.join(root, page), fs.readFileSync(path.join(root, page), 'utf8'))).toEqual([])
})

it('what the security checklists call met is shown', () => {
  expect(claimsWithoutProof(fs.readFileSync(path.join(root, 'docs/security.md'), 'utf8'))).toEqual([])
})

it('sees a link to nothing, and a name that no test has', () => {
  const own = path.join(import.meta.dirname, 'a.md')
  const links = ['[a](gone.ts)', '[`no such test`](tally.test.ts)', '[`add`](tally.ts)']
  const sound = ['[`counts what the reports say`](tally.test.ts#L9)', '[b](https://a.example/)', '[c](#d)']
  expect(brokenLinks(own, [...links, ...sound].join(' '))).toEqual([
    `${own}: there is no gone.ts`,
    `${own}: tally.test.ts has no test "no such test"`,
  ])
  expect(claimsWithoutProof('| 1.1 | a | met | trust us |\n| 1.2 | a | met | [b](c) |')).toEqual(['1.1'])
})
