import MiniSearch from 'minisearch'
import { createElement } from 'react'
import { byNoun } from '@/lib/edges/graphql/reference/nouns'
import { reference } from '@/lib/edges/graphql/reference/reference'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { docsPages } from '../pages'
import { sectionsOf } from './sections-of'

type Entry = { id: string; page: string; heading: string; text: string }

/** A place in the docs: where it is, what it is called, and words around what was found, of which every second is a match. */
export type Finding = { href: string; page: string; heading: string; words: string[] }

const mostFindings = 20
const longestQuery = 100

let index: MiniSearch<Entry> | undefined

/** Made at the first search: of whatever the pages say at that time, and of the reference. */
function indexOf(): MiniSearch<Entry> {
  if (index) return index
  const made = new MiniSearch<Entry>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text'],
    processTerm,
  })
  made.addAll([...fromPages(), ...fromReference()])
  index = made
  return made
}

/** A name such as `apiTokenCreate` is found by its parts too. */
function processTerm(term: string): string[] {
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/)
  return [...new Set([term, ...parts].map((each) => each.toLowerCase()))]
}

const fromPages = (): Entry[] =>
  docsNavigation.flatMap(({ pages }) =>
    pages.flatMap(({ href, title, summary }) =>
      sectionsOf(createElement(docsPages[href] as () => never)).map(({ id, heading, text }) => ({
        id: id === undefined ? href : `${href}#${id}`,
        page: title,
        heading,
        text: id === undefined ? `${text} ${summary}` : text,
      })),
    ),
  )

const fromReference = (): Entry[] => [
  ...byNoun(reference()).flatMap(({ slug, title, queries, mutations, subscriptions }) =>
    [...queries, ...mutations, ...subscriptions].map(({ name, description }) => ({
      id: `/docs/reference/${slug}#${name}`,
      page: title,
      heading: name,
      text: description,
    })),
  ),
  ...reference().types.map(({ name, description }) => ({
    id: `/docs/graphql/${name}`,
    page: 'GraphQL types',
    heading: name,
    text: description,
  })),
]

/**
 * Looks for words in the docs and the reference: all of them, in any order, by how they begin; a typing error is forgiven.
 * @param query as it was typed; past 100 characters nothing is read
 * @returns the best first, at most 20
 */
export function searchDocs(query: string): Finding[] {
  const found = indexOf().search(query.slice(0, longestQuery), {
    boost: { heading: 4, page: 2 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  })
  return found.slice(0, mostFindings).map(({ id, page, heading, text, terms }) => ({
    href: id,
    page,
    heading,
    words: around(text, terms),
  }))
}

const mostCharacters = 180

/** The text from a little before the first match, cut into what is none and what is one, in turn. */
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
