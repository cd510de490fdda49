import fs from 'node:fs'
import path from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { searchOf } from '@/lib/edges/web/console/list-page'
import { NoMatch } from './list-frame'

it('a list without matches shows the search text as typed, without changing the direction of the text around it', () => {
  const page = renderToStaticMarkup(<NoMatch path="/admin/people" noun="user" search={'<b>\u202eada'} />)
  expect(page).toMatch(
    /<p class="[^"]*\bwrap-anywhere\b[^"]*">No user matches “<bdi>&lt;b&gt;\u202eada<\/bdi>”<\/p>/,
  )
})

it('every page shortens search text to the limit of the search field', () => {
  expect(searchOf({ search: ` ${'x'.repeat(5000)}` })).toBe('x'.repeat(80))
  const pages = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .filter((file) =>
      /query\.search|textOf\([^)]*'search'\)/.test(fs.readFileSync(path.join('app', file), 'utf8')),
    )
  expect(pages).toEqual([])
})
