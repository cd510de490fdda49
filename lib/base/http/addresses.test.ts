import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addresses as listed } from '@/e2e/pages/addresses'
import { journeys } from '@/e2e/pages/journeys'
import { metadataPaths, resourceMetadataPaths } from '@/lib/edges/oauth/protocol/routes'
import { config as proxy } from '@/proxy'
import { addressRules, isImage, ruleOf } from './addresses'

/** The path of each page.tsx and route.ts, without route groups in parentheses. */
const routes = fs
  .readdirSync('app', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file))
  .map((file) => `/${file}`.replace(/\/(page\.tsx|route\.ts)$/, '').replace(/\/\([^)]+\)/g, ''))

const isAtOrBelow = (path: string, route: string) => route === path || route.startsWith(`${path}/`)

it.each(addressRules.map(({ path }) => path))('the rule for %s applies to an existing route', (path) => {
  expect(routes.filter((route) => isAtOrBelow(path, route))).not.toEqual([])
})

it('the rules mark the auth pages, the docs, and the brand page as pages without scripts', () => {
  const authPages = fs
    .readdirSync('app/(auth)', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `/${name}`)
  expect([...authPages, '/interaction', '/device', '/docs', '/brand'].sort()).toEqual(
    addressRules.flatMap(({ path, withoutScripts }) => (withoutScripts ? [path] : [])).sort(),
  )
})

it('every rule for pages without scripts covers a page with a browser test', () => {
  const walked = [...listed, ...journeys.flatMap(({ sights }) => sights)].flatMap(({ route }) => route ?? [])
  for (const { path, withoutScripts } of addressRules) {
    if (withoutScripts) expect(walked.filter((route) => isAtOrBelow(path, route))).not.toEqual([])
  }
})

it('the rules route every metadata path to OAuth', () => {
  for (const path of [...metadataPaths, ...resourceMetadataPaths.keys()]) {
    expect(ruleOf(path).endpoint).toBe('oauth')
  }
})

it('a rule’s path matches only whole path segments', () => {
  for (const { path } of addressRules) expect(ruleOf(`${path}s`)).toEqual({})
  expect(ruleOf('/')).toEqual({})
})

it('isImage returns true only for the paths of images', () => {
  expect(['/pictures/a.webp', '/brand/login-with-light.svg'].every(isImage)).toBe(true)
  expect(['/brand', '/pictures/', '/pictures/a/b', '/brand/a/b', '/brands/a'].some(isImage)).toBe(false)
})

describe('the proxy', () => {
  const [encoded, pages] = proxy.matcher.map(({ source }) => new RegExp(`^${source}$`))
  const samples = addressRules.flatMap(({ path, alone, endpoint }) =>
    [path, ...(alone ? [] : [`${path}/below`])].map((address) => ({ address, endpoint })),
  )

  it.each(samples)('handles the path $address only if a page serves it', ({ address, endpoint }) => {
    expect(pages?.test(address)).toBe(endpoint === undefined)
    expect(encoded?.test(address)).toBe(false)
  })

  it('does not handle an endpoint’s path with a trailing slash', () => {
    expect(['/oauth/', '/graphql/v2/'].some((address) => pages?.test(address))).toBe(false)
  })

  it.each(['/', '/account/tokens', '/oauths', '/no-such-page.png', '/healthz/below', '/graphql/v2/below'])(
    'handles the path %s',
    (address) => expect(pages?.test(address)).toBe(true),
  )
})
