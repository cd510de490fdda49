import type { ReactNode } from 'react'
import { type Brand, Logo, SkipLink } from '../frame/brand'
import { buttonClass, TextAnchor } from '../ui/button'
import { Menu, Search } from '../ui/icon'
import { P } from './prose'

export type DocsGroup = { title: string; pages: { title: string; href: string }[] }

/**
 * A function that renders an entry of the rail as a link, and marks the links of the current page and its
 * parent pages.
 */
export type RailLink = (props: { href: string; className: string; children: ReactNode }) => ReactNode

/**
 * The frame of the documentation: a rail with the search and the pages, and one column of text. It requires
 * neither a session nor JavaScript: the search is a plain form and, on phones, the rail is a `<details>`
 * element.
 * @param query the text in the search field
 */
export function DocsFrame({
  brand,
  groups,
  link,
  query,
  children,
}: {
  brand: Brand
  groups: DocsGroup[]
  link: RailLink
  query?: string | undefined
  children: ReactNode
}) {
  const pages = <DocsPages groups={groups} link={link} />
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[248px_minmax(0,1fr)]">
      <SkipLink>Skip to content</SkipLink>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 pt-3 md:flex">
        <div className="grid gap-4 px-3">
          <Home brand={brand} />
          <DocsSearch id="search" query={query} />
        </div>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 pt-1 pb-3">{pages}</div>
      </aside>
      <header className="sticky top-0 z-30 border-b bg-background md:hidden">
        <details className="group">
          <summary className="flex h-[52px] list-none items-center gap-1.5 px-2">
            <span className={buttonClass({ variant: 'quiet', size: 'icon' })}>
              <Menu />
              <span className="sr-only">Navigation of</span>
            </span>
            <Logo brand={brand} />
            <span className="min-w-0 truncate pl-1 font-semibold">{brand.serviceName} docs</span>
          </summary>
          <div className="grid max-h-[calc(100dvh-52px)] gap-4 overflow-y-auto border-t p-3">
            <DocsSearch id="search-on-phone" query={query} />
            {pages}
          </div>
        </details>
      </header>
      <div className="min-w-0 border bg-surface shadow-panel max-md:border-0 md:my-2 md:mr-2 md:ml-1 md:rounded-panel">
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-[calc(920px+clamp(32px,6vw,80px))] px-[clamp(16px,3vw,40px)] pt-6 pb-20 text-[15px] leading-6 md:pt-8"
        >
          {children}
        </main>
      </div>
    </div>
  )
}

/** The large scroll margin keeps the top of the rail in view unless the current page is far below. */
const item =
  'block scroll-mt-[50dvh] rounded-control px-2 py-1.5 text-muted hover:bg-hover hover:text-text aria-[current]:[scroll-initial-target:nearest] aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-text forced-colors:aria-[current]:border'

const Home = ({ brand }: { brand: Brand }) => (
  <a
    href="/docs"
    className="flex min-h-8 min-w-0 items-center gap-2 rounded-control px-2 font-semibold text-sm hover:bg-hover"
  >
    <Logo brand={brand} />
    <span className="min-w-0 truncate">{brand.serviceName} docs</span>
  </a>
)

/** The search field. `id` must be unique on the page. */
export const DocsSearch = ({ id, query }: { id: string; query: string | undefined }) => (
  <search>
    <form action="/docs/search" className="relative">
      <label htmlFor={id} className="sr-only">
        Search the docs
      </label>
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted max-md:top-3" />
      <input
        id={id}
        type="search"
        name="q"
        defaultValue={query}
        maxLength={100}
        placeholder="Search the docs"
        className="h-8 w-full rounded-control border border-control bg-surface pr-2 pl-8 text-sm max-md:h-10 max-md:text-base"
      />
    </form>
  </search>
)

const DocsPages = ({ groups, link }: { groups: DocsGroup[]; link: RailLink }) => (
  <>
    <nav aria-label="Documentation" className="grid gap-4 text-sm leading-5">
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <p aria-hidden className="px-2 pb-1 text-muted text-xs">
            {group.title}
          </p>
          <ul className="grid gap-px">
            {group.pages.map(({ title, href }) => (
              <li key={href}>{link({ href, className: item, children: title })}</li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
    <p className="mt-auto grid border-t pt-3 text-sm">
      <a href="/graphql/explorer" className={item}>
        GraphQL explorer
      </a>
      <a href="/openapi.json" className={item}>
        OpenAPI description
      </a>
      <a href="/" className={item}>
        Open the console
      </a>
    </p>
  </>
)

type Result = { href: string; page: string; heading: string; words: string[] }

/** Lists search results with the text around the matches, or shows a hint if there are no results. */
export function SearchResults({ query, results }: { query: string; results: Result[] }) {
  if (results.length === 0) {
    return (
      <P>
        Try {/\s/.test(query) ? 'fewer words' : 'another word'}, or the name of an operation such as{' '}
        <TextAnchor href="/docs/search?q=apiTokenCreate">apiTokenCreate</TextAnchor>.
      </P>
    )
  }
  return (
    <ol aria-label="Results" className="grid gap-6">
      {results.map(({ href, page, heading, words }) => (
        <li key={href} className="grid max-w-[72ch] gap-0.5">
          <TextAnchor href={href} className="justify-self-start font-medium">
            {heading || page}
          </TextAnchor>
          {heading && <span className="text-[13px] text-muted">{page}</span>}
          <span className="text-sm">
            {words.map((each, at) =>
              at % 2 === 1 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the words of one result never change their order
                <mark key={at} className="-mx-0.5 rounded-[3px] bg-accent-soft px-0.5 text-text">
                  {each}
                </mark>
              ) : (
                each
              ),
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
