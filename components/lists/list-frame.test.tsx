import fs from 'node:fs'
import path from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { searchOf } from '@/lib/edges/web/console/list-page'
import { NoMatch } from './list-frame'

it('repeats the search text as typed, in its place and on its page', () => {
  const page = renderToStaticMarkup(<NoMatch path="/admin/people" noun="user" search={'<b>\u202eada'} />)
  expect(page).toMatch(
    /<p class="[^"]*\bwrap-anywhere\b[^"]*">No user matches “<bdi>&lt;b&gt;\u202eada<\/bdi>”<\/p>/,
  )
})

it('shortens a repeated search text to the limit of its field', () => {
  expect(searchOf({ search: ` ${'x'.repeat(5000)}` })).toBe('x'.repeat(80))
  const pages = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .filter((file) =>
      /query\.search|textOf\([^)]*'search'\)/.test(fs.readFileSync(path.join('app', file), 'utf8')),
    )
  expect(pages).toEqual([])
})
