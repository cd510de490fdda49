import { badInput } from '@/lib/base/errors/app-error'
import { cursorOfPlace } from './page-of-all'

/** A row of a list that was read in another order than by its id, with its place there. */
export type Placed = { cursor?: string }

const idLength = 36
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The cursor of a row in an order by something that several rows may have: that, and the id, which decides among those. */
export const placedCursor = (id: string, by: string): string => cursorOfPlace(`${id}${by}`)

/**
 * What such a cursor holds.
 * @param argument whose it is
 * @param place as `parseTextPage` read it
 * @param isBy whether the order has such values
 * @throws AppError BAD_USER_INPUT naming the argument
 */
export function readPlaced(
  argument: 'after' | 'before',
  place: string | null,
  isBy: (by: string) => boolean = () => true,
): { id: string; by: string } | undefined {
  if (place === null) return undefined
  const [id, by] = [place.slice(0, idLength), place.slice(idLength)]
  if (!isUuid.test(id) || !isBy(by)) throw badInput(argument, 'This is not a cursor of this list.')
  return { id, by }
}
