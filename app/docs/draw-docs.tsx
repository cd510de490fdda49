import type { ReactElement } from 'react'
import { queryValue, type ShownPage, type Visit } from '@/app/auth-pages/auth-page'
import { DocsFrame, type RailLink } from '@/components/docs/docs-frame'
import { sayIn } from '@/lib/base/language/say'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { registeredApis } from '@/lib/features/resources/apis'
import { readBrand } from '../brand'
import { pageAt } from './page-at'
import { searchPage } from './search/search-page'

type Drawn = { title: string; page: ReactElement }

/**
 * Renders a docs page in its frame.
 * @param route the route of the page, written like the folder names below app/
 * @returns undefined if the values of the dynamic segments match no entry in the reference
 */
export async function drawDocs(route: string, visit: Visit): Promise<ShownPage | undefined> {
  const query = route === '/docs/search' ? queryValue(visit, 'q') : undefined
  const drawn = await draw(route, visit, query)
  if (!drawn) return undefined
  const { title, page } = drawn
  return {
    say: sayIn('en'),
    title,
    page: (
      <DocsFrame brand={readBrand()} groups={docsNavigation} link={linkFrom(route)} query={query}>
        {page}
      </DocsFrame>
    ),
  }
}

const draw = async (
  route: string,
  { params }: Visit,
  query: string | undefined,
): Promise<Drawn | undefined> =>
  route === '/docs/search'
    ? searchPage(query)
    : pageAt(
        route.replace(/\[(\w+)\]/g, (_, name: string) => params[name] ?? ''),
        // If the registered APIs cannot be read, show the page without them, because its other content is
        // still useful.
        route === '/docs/scopes' ? { apis: await registeredApis().catch(() => []) } : {},
      )

/**
 * Returns a link component for the rail. The component marks the links to the open page and to its parent
 * pages, except the overview, as current.
 */
function linkFrom(route: string): RailLink {
  const isCurrent = (href: string) => route === href || (href !== '/docs' && route.startsWith(`${href}/`))
  return ({ href, className, children }) => (
    <a href={href} className={className} aria-current={isCurrent(href) ? 'page' : undefined}>
      {children}
    </a>
  )
}
