import { describe, expect, it } from 'vitest'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { docsPages } from '../pages'
import { searchDocs } from './search-docs'

const places = (query: string) => searchDocs(query).map(({ href }) => href)

describe('the search of the docs', () => {
  it('finds an error, an operation, a scope and a section by their names', () => {
    expect(places('RATE_LIMITED')[0]).toBe('/docs/errors#RATE_LIMITED')
    expect(places('apiTokenCreate')[0]).toMatch(/^\/docs\/reference\/tokens#apiTokenCreate$/)
    expect(places('offline_access')).toContain('/docs/scopes#offline_access')
    expect(places('signature webhook')[0]).toMatch(/^\/docs\/webhooks/)
  })

  it('calls a row of a table by its first cell', () => {
    const headings = searchDocs('live refresh tokens').map(({ heading }) => heading)
    expect(headings).toContain('Live refresh tokens of one authorization')
  })

  it('takes the beginning of a word, and forgives a typing error', () => {
    expect(places('webho')[0]).toMatch(/webhook/i)
    expect(places('refrsh token')).toEqual(expect.arrayContaining([expect.stringContaining('/docs/')]))
  })

  it('wants all the words', () => {
    expect(places('idempotency kangaroo')).toEqual([])
    expect(places('')).toEqual([])
    expect(places('*')).toEqual([])
  })

  it('shows the words around what was found, the matches apart', () => {
    const [first] = searchDocs('Idempotent-Replayed')
    expect(first?.words.filter((_, at) => at % 2 === 1).join(' ')).toMatch(/idempoten/i)
    for (const { words } of searchDocs('token')) expect(words.join('').length).toBeLessThan(230)
  })

  it('reads what it is given without an end: long and odd texts find nothing', () => {
    expect(places('a'.repeat(100_000))).toEqual([])
    expect(places('<script>(.*)+$ \u0000 ((((')).toEqual(expect.any(Array))
  })

  it('has a page behind every entry of the rail, and no other', () => {
    const hrefs = docsNavigation.flatMap(({ pages }) => pages.map(({ href }) => href))
    expect(Object.keys(docsPages).sort()).toEqual(hrefs.sort())
  })
})
