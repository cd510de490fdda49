import type { ReactNode } from 'react'
import type { NumberedPage } from '@/lib/base/db/paging'
import { addressOf, type ListNames } from '@/lib/edges/web/console/list-page'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { counted } from '../ui/formats'
import { type Icon, SearchX } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { ListSearch } from './list-search'

/** The noun for the entries of a list, singular and plural. */
export type Noun = [one: string, several: string]

/**
 * A list that can be long, with search, rows or an empty state, the count, and pages. The URL contains all
 * state, so that users can share the list. The list works without JavaScript.
 */
export function ListFrame({
  path,
  noun,
  page,
  search,
  kept = {},
  order = {},
  names = { search: 'search', page: 'page' },
  filters,
  action,
  empty,
  children,
}: {
  /** The page's own path. */
  path: string
  noun: Noun
  /** The current page, and the total count. */
  page: NumberedPage & { total: number; rows: readonly unknown[] }
  /** The search text. */
  search: string
  /** The URL parameters of the filters. They are kept when the page or the search changes. */
  kept?: Record<string, string>
  /** The URL parameters of the sort order. They are also kept, but they do not count as a filter. */
  order?: Record<string, string>
  /**
   * The names of the URL parameters for the search text and the page number. Set them if another list on the
   * page uses the default names.
   */
  names?: ListNames
  /** The filters next to the search. */
  filters?: ReactNode
  /**
   * The button at the right end of the row with the search, such as a button that adds an entry. Omit it if
   * the page's header has this button.
   */
  action?: ReactNode
  /** The content to show if the list has no entries and neither a search nor a filter is set. */
  empty: { icon: Icon; title: string; text: ReactNode; action?: ReactNode }
  /** The rows. */
  children: ReactNode
}) {
  const { number, size, total, rows } = page
  const filtered = Object.values(kept).some(Boolean)
  const pages = Math.ceil(total / size)
  const first = (number - 1) * size + 1
  const href = (to: number) =>
    addressOf(path, {
      ...kept,
      ...order,
      [names.search]: search,
      [names.page]: to > 1 ? String(to) : undefined,
    })
  if (total === 0 && search === '' && !filtered) {
    return (
      <Card>
        <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <ListSearch
          path={path}
          name={names.search}
          label={`Search ${noun[1]}`}
          value={search}
          kept={{ ...kept, ...order }}
        />
        {filters}
        {action && (
          <div className="ml-auto max-sm:w-full max-sm:[&_:is(button,[role=button])]:w-full">{action}</div>
        )}
      </div>
      <Card className="overflow-clip">
        {total === 0 ? <NoMatch path={path} noun={noun[0]} search={search} filtered={filtered} /> : children}
        {total > 0 && (
          <div className="border-t px-4 py-2 text-[13px]">
            <Pagination
              previous={number > 1 ? href(number - 1) : undefined}
              next={number < pages ? href(number + 1) : undefined}
              label={`Pages of ${noun[1]}`}
              alone={pages <= 1}
              summary={
                pages > 1
                  ? `${first.toLocaleString('en')}–${(first + rows.length - 1).toLocaleString('en')} of ${counted(total, ...noun)}`
                  : counted(total, ...noun)
              }
              position={`Page ${number.toLocaleString('en')} of ${pages.toLocaleString('en')}`}
            />
          </div>
        )}
      </Card>
    </div>
  )
}

/** The footer of a cursor list: the total count, and links to the previous and next page. */
export function ListFooter({
  previous,
  next,
  total,
  noun,
  since = '',
}: {
  previous: string | undefined
  next: string | undefined
  total: number
  noun: Noun
  /** The period that the total covers, such as "in the last 30 days". */
  since?: string
}) {
  return (
    <div className="border-t px-4 py-2 text-[13px]">
      <Pagination
        previous={previous}
        next={next}
        label={`Pages of ${noun[1]}`}
        alone={!previous && !next}
        summary={`${counted(total, ...noun)} ${since}`.trim()}
      />
    </div>
  )
}

/** A message that a search or a filter has no match, with a link to the whole list. */
export function NoMatch({
  path,
  noun,
  search = '',
  filtered = false,
  children = 'Check the spelling, or search for part of the name.',
}: {
  /** The path of the whole list. */
  path: string
  /** The singular noun for the entries. */
  noun: string
  /** The search text. */
  search?: string
  /** Whether a filter is set, with or without a search text. */
  filtered?: boolean
  /** A hint about what to try instead. */
  children?: ReactNode
}) {
  return (
    <EmptyState
      icon={SearchX}
      title={
        search ? (
          <>
            No {noun} matches “<bdi>{search}</bdi>”
          </>
        ) : (
          `No ${noun} matches`
        )
      }
      action={<ButtonLink href={path}>{filtered ? 'Clear filters' : 'Clear search'}</ButtonLink>}
    >
      {children}
    </EmptyState>
  )
}
