import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { docsPages } from '../pages'
import { indexDocs, searchDocs } from './search-docs'
import { searchPage } from './search-page'

const leadOf = async (query: string) =>
  ((await searchPage(query)).page as ReactElement<{ lead: string }>).props.lead
const places = async (query: string) => (await searchDocs(query)).findings.map(({ href }) => href)

describe('the docs search', () => {
  it('builds the index once, without blocking other work', async () => {
    let turns = 0
    let built = false
    const count = () => {
      turns++
      if (!built) setImmediate(count)
    }
    setImmediate(count)
    const entries = await Promise.all([indexDocs(), indexDocs()])
    built = true
    const turnsOfOne = Math.floor((entries[0] as number) / 10)
    expect(entries[0]).toBeGreaterThan(500)
    expect(turns).toBeGreaterThanOrEqual(turnsOfOne)
    expect(turns).toBeLessThan(1.5 * turnsOfOne)
    turns = 0
    setImmediate(count)
    expect(await indexDocs()).toBe(entries[0])
    expect(turns).toBe(0)
  })

  it('finds an error, an operation, a scope, and a section by name', async () => {
    expect((await places('RATE_LIMITED'))[0]).toBe('/docs/errors#RATE_LIMITED')
    expect((await places('apiTokenCreate'))[0]).toMatch(/^\/docs\/reference\/tokens#apiTokenCreate$/)
    expect(await places('offline_access')).toContain('/docs/scopes#offline_access')
    expect((await places('signature webhook'))[0]).toMatch(/^\/docs\/webhooks/)
  })

  it('uses the first cell of a table row as the heading of the result', async () => {
    const headings = (await searchDocs('active refresh tokens')).findings.map(({ heading }) => heading)
    expect(headings).toContain('Active refresh tokens per authorization')
  })

  it('matches prefixes and words with a typo', async () => {
    expect((await places('webho'))[0]).toMatch(/webhook/i)
    expect(await places('refrsh token')).toEqual(expect.arrayContaining([expect.stringContaining('/docs/')]))
  })

  it('returns no results for a query with an unknown word or without words', async () => {
    expect(await places('idempotency kangaroo')).toEqual([])
    expect(await places('')).toEqual([])
    expect(await places('*')).toEqual([])
  })

  it('shows a short excerpt around a match, with the match marked', async () => {
    const [first] = (await searchDocs('Idempotent-Replayed')).findings
    expect(first?.words.filter((_, at) => at % 2 === 1).join(' ')).toMatch(/idempoten/i)
    const { findings } = await searchDocs('token')
    for (const { words } of findings) expect(words.join('').length).toBeLessThan(230)
  })

  it('returns the best 20 results and the number of all results', async () => {
    const { findings, total } = await searchDocs('token')
    expect(findings).toHaveLength(20)
    expect(total).toBeGreaterThan(20)
    expect(await leadOf('token')).toBe(`First 20 of ${total} results for “token”.`)
    expect(await leadOf('kangaroo')).toBe('No results for “kangaroo”.')
  })

  it('shows the summary of a page once', async () => {
    const { findings } = await searchDocs('types lifetimes revocation')
    const text = findings.find(({ href }) => href === '/docs/tokens')?.words.join('')
    expect(text).toBe('Token types, lifetimes, refresh, and revocation.')
  })

  it('accepts very long and malformed queries', async () => {
    expect(await places('a'.repeat(100_000))).toEqual([])
    expect(await places('<script>(.*)+$ \u0000 ((((')).toEqual(expect.any(Array))
  })

  it('covers exactly the pages in the navigation', () => {
    const hrefs = docsNavigation.flatMap(({ pages }) => pages.map(({ href }) => href))
    expect(Object.keys(docsPages).sort()).toEqual(hrefs.sort())
  })
})
