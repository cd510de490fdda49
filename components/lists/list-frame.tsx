import { type LucideIcon, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NumberedPage } from '@/lib/base/db/paging'
import { addressOf, type ListNames } from '@/lib/edges/web/console/list-page'
import { ButtonLink } from '../ui/button-link'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { counted } from '../ui/formats'
import { Pagination } from '../ui/pagination'
import { ListSearch } from './filters'

/** What a list holds, for one and for several of them. */
export type Noun = [one: string, several: string]

/**
 * A list that may grow long: search over it, what it holds or why it holds nothing, how many there are, and its pages.
 * Everything is in the address, so that it can be shared and works without a script.
 */
export function ListFrame({
  path,
  noun,
  page,
  search,
  kept = {},
  names = { search: 'search', page: 'page' },
  filters,
  action,
  empty,
  children,
}: {
  /** The page's own address. */
  path: string
  noun: Noun
  /** The page that is shown, and how many there are in all. */
  page: NumberedPage & { total: number; rows: readonly unknown[] }
  /** What was searched for. */
  search: string
  /** Further parameters that stay when one leafs or searches, such as a filter. */
  kept?: Record<string, string>
  /** The parameters of the address, where the page has another list. */
  names?: ListNames
  /** Beside the search. */
  filters?: ReactNode
  /** At the right end of them: what adds an entry, where the page has no header of its own for it. */
  action?: ReactNode
  /** What to say, and to offer, where there is nothing yet. */
  empty: { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode }
  /** The rows. */
  children: ReactNode
}) {
  const { number, size, total, rows } = page
  const filtered = Object.values(kept).some(Boolean)
  const pages = Math.ceil(total / size)
  const first = (number - 1) * size + 1
  const href = (to: number) =>
    addressOf(path, { ...kept, [names.search]: search, [names.page]: to > 1 ? String(to) : undefined })
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
        <ListSearch path={path} name={names.search} label={`Search ${noun[1]}`} value={search} kept={kept} />
        {filters}
        {action && <div className="ml-auto max-sm:w-full max-sm:[&_button]:w-full">{action}</div>}
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

/** Under the rows of a list that is read from where one is: how many there are in all, and the ways on and back. */
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
  /** From when on they are counted, such as "in the last 30 days". */
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

/** What stands in a list of which a search or a filter leaves nothing, with the way back to all of it. */
export function NoMatch({
  path,
  noun,
  search = '',
  filtered = false,
  children = 'Check the spelling, or search for a part of the name.',
}: {
  /** The address of the whole list. */
  path: string
  /** What the list holds one of. */
  noun: string
  /** What was searched for. */
  search?: string
  /** A filter is set beside the search. */
  filtered?: boolean
  /** What to try instead. */
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
