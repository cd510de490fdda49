import type { ReactElement } from 'react'
import { DocsSearch, SearchResults } from '@/components/docs/docs-frame'
import { DocsArticle, P } from '@/components/docs/prose'
import { searchDocs } from './search-docs'

/**
 * Returns the page with the results of a search. Without a query, the page asks the user to enter a word.
 * @param typed the query, if there is one
 */
export async function searchPage(typed: string | undefined): Promise<{ title: string; page: ReactElement }> {
  const query = typed?.trim() ?? ''
  const { findings, total } = query ? await searchDocs(query) : { findings: [], total: 0 }
  const page = (
    <DocsArticle
      title="Search"
      lead={
        query
          ? `${countOf(findings.length, total)} for “${query}”.`
          : 'Guides, errors, limits, and the reference.'
      }
    >
      <div className="md:hidden">
        <DocsSearch id="search-on-page" query={query} />
      </div>
      {query ? <SearchResults query={query} results={findings} /> : <P>Enter a word in the search field.</P>}
    </DocsArticle>
  )
  return { title: query ? `${query}, search` : 'Search', page }
}

function countOf(shown: number, total: number): string {
  if (total === 0) return 'No results'
  if (shown < total) return `First ${shown} of ${total} results`
  return total === 1 ? '1 result' : `${total} results`
}
