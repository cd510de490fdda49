import { counted } from '../ui/counted'
import { Pagination } from '../ui/pagination'
import type { Noun } from './list-frame'

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
