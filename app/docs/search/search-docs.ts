import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import { createElement } from 'react'
import { SchemaText } from '@/components/docs/prose'
import { byNoun, reference } from '@/lib/edges/graphql/reference/reference'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { docsPages } from '../pages'
import { plainText, plainTree } from '../plain-tree'
import { sectionsOf } from './sections-of'

type Entry = { id: string; page: string; heading: string; text: string }

/**
 * A search result: its URL, its headings, and the text around the matches. Every second element of `words` is
 * a match.
 */
export type Finding = { href: string; page: string; heading: string; words: string[] }

const mostFindings = 20
const longestQuery = 100

/** The number of entries to index before other work can run. Indexing them takes a few milliseconds. */
const entriesPerTurn = 10

let index: Promise<MiniSearch<Entry>> | undefined

/**
 * Builds the search index from the pages and the reference, once per process. Our own server calls this
 * function at startup (app/start-server.ts). On other hosts, the first search builds the index. The index
 * cannot be built at build time, because pages contain the instance's settings.
 * @returns the number of entries in the index
 * @throws the error of a page that cannot be rendered; the next call tries again
 */
export async function indexDocs(): Promise<number> {
  return (await builtIndex()).documentCount
}

function builtIndex(): Promise<MiniSearch<Entry>> {
  index ??= buildIndex().catch((error) => {
    index = undefined
    throw error
  })
  return index
}

async function buildIndex(): Promise<MiniSearch<Entry>> {
  const built = new MiniSearch<Entry>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text'],
    processTerm,
  })
  for (const entry of entries()) {
    built.add(entry)
    // After every few entries, let the server answer the requests that have arrived in the meantime.
    if (built.documentCount % entriesPerTurn === 0) await setImmediate()
  }
  return built
}

/**
 * Yields the entries of all pages and of the reference. Reads each page only when the page's first entry is
 * needed.
 */
function* entries(): Generator<Entry> {
  for (const { pages } of docsNavigation) for (const page of pages) yield* sectionsAt(page)
  yield* fromReference()
}

/**
 * Returns a term in lower case. For a name such as `apiTokenCreate`, also returns the parts of the name, so
 * that a search can find each part.
 */
function processTerm(term: string): string[] {
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/)
  return [...new Set([term, ...parts].map((each) => each.toLowerCase()))]
}

type DocsPage = (typeof docsNavigation)[number]['pages'][number]

const sectionsAt = ({ href, title, summary }: DocsPage): Entry[] =>
  sectionsOf(createElement(docsPages[href] as () => never)).map(({ id, heading, text }) => ({
    id: id === undefined ? href : `${href}#${id}`,
    page: title,
    heading,
    // Many pages begin with their summary.
    text: id === undefined && !text.includes(summary) ? `${text} ${summary}` : text,
  }))

/** Returns a description from the schema without its Markdown. */
const textOf = (description: string) => plainText(plainTree(createElement(SchemaText, { text: description })))

const fromReference = (): Entry[] => [
  ...byNoun(reference()).flatMap(({ slug, title, queries, mutations, subscriptions }) =>
    [...queries, ...mutations, ...subscriptions].map(({ name, description }) => ({
      id: `/docs/reference/${slug}#${name}`,
      page: title,
      heading: name,
      text: textOf(description),
    })),
  ),
  ...reference().types.map(({ name, description }) => ({
    id: `/docs/graphql/${name}`,
    page: 'GraphQL types',
    heading: name,
    text: textOf(description),
  })),
]

/**
 * Searches the docs and the reference for entries that contain all words of a query, in any order. A query
 * word can match the beginning of a longer word. Query words of five or more letters can contain typos.
 * @param query the text as typed; only the first 100 characters are used
 * @returns up to 20 results, best first, and the number of all results
 */
export async function searchDocs(query: string): Promise<{ findings: Finding[]; total: number }> {
  const found = (await builtIndex()).search(query.slice(0, longestQuery), {
    boost: { heading: 4, page: 2 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  })
  const findings = found.slice(0, mostFindings).map(({ id, page, heading, text, terms }) => ({
    href: id,
    page,
    heading,
    words: around(text, terms),
  }))
  return { findings, total: found.length }
}

const mostCharacters = 180

/**
 * Returns an excerpt as parts that are alternately outside and inside a match. The excerpt begins shortly
 * before the first match. If the text has no match, or if the first match is near its beginning, the excerpt
 * begins with the text.
 */
function around(text: string, terms: string[]): string[] {
  const matches = new RegExp(`(${terms.map(escaped).join('|')})`, 'gi')
  const first = Math.max(text.search(matches), 0)
  const start = first < 60 ? 0 : text.lastIndexOf(' ', first - 40) + 1
  const end =
    start + mostCharacters < text.length ? text.lastIndexOf(' ', start + mostCharacters) : text.length
  const cut = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  return cut.split(matches)
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
