import { cursorOfPlace } from '@/lib/base/db/page-of-all'
import { Pagination } from '../ui/pagination'

/** The steps to the pages before and after one of a list whose cursors are places; nothing where there are none. */
export function PlacedPages({
  places,
  sides,
  href,
  label,
}: {
  places: string[]
  sides: { hasPreviousPage: boolean; hasNextPage: boolean }
  /** The address of a page. @param side of the cursor that it starts at */
  href: (side: 'before' | 'after', cursor: string) => string
  label: string
}) {
  if (!sides.hasPreviousPage && !sides.hasNextPage) return null
  const at = (side: 'before' | 'after', place: string | undefined) =>
    place === undefined ? undefined : href(side, cursorOfPlace(place))
  return (
    <Pagination
      previous={sides.hasPreviousPage ? at('before', places[0]) : undefined}
      next={sides.hasNextPage ? at('after', places.at(-1)) : undefined}
      label={label}
    />
  )
}
