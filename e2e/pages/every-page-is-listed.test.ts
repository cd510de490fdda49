import fs from 'node:fs'
import { expect, it } from 'vitest'
import { addresses, redirects } from './addresses'
import { journeys } from './journeys'

/** The route of each page.tsx: its folder without the route groups in parentheses. */
const routes = fs
  .readdirSync('app', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file === 'page.tsx' || file.endsWith('/page.tsx'))
  .map(
    (file) =>
      `/${file
        .replace(/\/?page\.tsx$/, '')
        .replace(/\([^)]+\)\//g, '')
        .replace(/\/?\([^)]+\)$/, '')}`,
  )

const sights = journeys.flatMap((journey) => journey.sights)

it('e2e/pages lists every page in app/', () => {
  const listed = [...addresses, ...sights, ...redirects].flatMap(({ route }) => route ?? [])
  expect([...new Set(listed)].sort()).toEqual([...routes].sort())
})

it('every screenshot name is unique', () => {
  const names = [...addresses, ...sights].map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
