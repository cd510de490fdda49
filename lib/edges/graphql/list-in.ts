import type { CountedSlice, Page, Slice } from '@/lib/base/db/keyset'
import type { Actor } from '@/lib/policy/actor'
import { defineLoader, definePageLoader, type GraphQLContext } from './context'

type Each<Row> = {
  pages: (parents: readonly string[], page: Page, most: number) => Promise<Slice<Row>[]>
  counts: (parents: readonly string[]) => Promise<number[]>
}
type Require = (actor: Actor, ids: readonly string[]) => Promise<readonly (unknown | Error)[]>

/**
 * A connection inside of rows: those that ask for the same page are decided together and read together.
 * @param list as `listEach` makes it
 * @param require decides for each row whether the caller may read its list; unless given, that is decided already
 */
export function defineListIn<Row>(list: Each<Row>, require?: Require) {
  const allowed = async <Value>(
    actor: Actor,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<Value[]>,
  ): Promise<(Value | Error)[]> => {
    if (!require) return read(ids)
    const decided = await require(actor, ids)
    const open = ids.filter((_, index) => !(decided[index] instanceof Error))
    const values = open.length === 0 ? [] : await read(open)
    return ids.map((id, index) => {
      const refused = decided[index]
      return refused instanceof Error ? refused : (values[open.indexOf(id)] as Value)
    })
  }
  const pages = definePageLoader<Row>((actor, ids, page, most) =>
    allowed(actor, ids, (open) => list.pages(open, page, most)),
  )
  const counts = defineLoader<number>((actor, ids) => allowed(actor, ids, list.counts))
  return async (context: GraphQLContext, id: string, page: Page): Promise<CountedSlice<Row>> => ({
    ...(await pages(context, page).load(id)),
    count: () => counts(context).load(id),
  })
}
