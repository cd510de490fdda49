import type { ReactElement } from 'react'
import { SearchResults } from '@/components/docs/docs-frame'
import { DocsArticle, P } from '@/components/docs/prose'
import { searchDocs } from './search-docs'

/**
 * Returns the page with the results of a search. Without a query, the page asks the user to enter a word.
 * @param typed the query, if there is one
 */
export async function searchPage(typed: string | undefined): Promise<{ title: string; page: ReactElement }> {
  const query = typed?.trim() ?? ''
  const results = query ? await searchDocs(query) : []
  const count = results.length === 1 ? '1 result' : `${results.length} results`
  const page = (
    <DocsArticle
      title="Search"
      lead={query ? `${count} for “${query}”.` : 'Guides, errors, limits, and the reference.'}
    >
      {query ? <SearchResults query={query} results={results} /> : <P>Enter a word in the search field.</P>}
    </DocsArticle>
  )
  return { title: query ? `${query}, search` : 'Search', page }
}
