import DataLoader from 'dataloader'
import { maxPageSize, type Page, type Slice } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import type { Usage } from '@/lib/features/figures/count-usage'
import type { Actor } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import type { AnswerBudget } from './limits/answer-budget'

/** What every resolver gets: who asks, the name of this request in the logs, and what it may cost. One object per request. See ADR 0014. */
export type GraphQLContext = {
  traceId: string
  caller: Caller
  actor: Actor
  budget: AnswerBudget
  /** Where the token stands after this request. */
  usage: Usage
  /** Of a subscription: who asks at the time, as long as the token is worth something, and when the stream is over. */
  live?: { caller: () => Promise<Caller>; ended: AbortSignal }
}

/** @param most rows to read at most, all keys together; where there are more, the answer is refused anyway */
type LoadMany<Value> = (
  actor: Actor,
  keys: readonly string[],
  most: number,
  context: GraphQLContext,
) => Promise<readonly (Value | Error)[]>

/**
 * Batches the reads of one field over all rows of a request, so that a list costs one statement however long it is.
 * @param loadMany reads the values of several keys, in the keys' order; an Error in a value's place concerns that key only
 * @returns the loader of a request; each request has its own, so nothing is kept longer or shared between callers
 */
export function defineLoader<Value>(
  loadMany: LoadMany<Value>,
): (context: GraphQLContext) => DataLoader<string, Value> {
  const loaders = new WeakMap<GraphQLContext, DataLoader<string, Value>>()
  return (context) => {
    let loader = loaders.get(context)
    if (!loader) {
      loader = new DataLoader(counted(context, loadMany))
      loaders.set(context, loader)
    }
    return loader
  }
}

/**
 * Loads what a caller named by several ids, each of which may fail alone; the answer counts every failure.
 * @throws AppError BAD_USER_INPUT on `ids`, when there are too many
 */
export function loadEach<Value>(
  context: GraphQLContext,
  loader: DataLoader<string, Value>,
  ids: readonly string[],
): Promise<Value>[] {
  if (ids.length > maxPageSize) throw badInput('ids', `Request at most ${maxPageSize} IDs.`)
  return loadNamed(context, loader, ids)
}

/** The same for what a row names, which may be more than a caller may name at once. */
export const loadNamed = <Value>(
  { budget }: GraphQLContext,
  loader: DataLoader<string, Value>,
  ids: readonly string[],
): Promise<Value>[] =>
  ids.map((id) =>
    loader.load(id).catch((error) => {
      budget.spendError(1)
      throw error
    }),
  )

/** The same for a connection: rows that ask for the same page share a statement. */
export function definePageLoader<Row>(
  loadMany: (
    actor: Actor,
    keys: readonly string[],
    page: Page,
    most: number,
  ) => Promise<readonly (Slice<Row> | Error)[]>,
): (context: GraphQLContext, page: Page) => DataLoader<string, Slice<Row>> {
  const requests = new WeakMap<GraphQLContext, Map<string, DataLoader<string, Slice<Row>>>>()
  return (context, page) => {
    const pages = requests.get(context) ?? new Map<string, DataLoader<string, Slice<Row>>>()
    requests.set(context, pages)
    const name = JSON.stringify(page)
    const load: LoadMany<Slice<Row>> = (actor, keys, most) => loadMany(actor, keys, page, most)
    const loader = pages.get(name) ?? new DataLoader(counted(context, load))
    pages.set(name, loader)
    return loader
  }
}

/**
 * Reads no more than the answer has room for, and counts what was read: a thousand rows may each have a hundred more. One
 * row beyond each page only tells that there is more.
 */
const counted =
  <Value>(context: GraphQLContext, load: LoadMany<Value>) =>
  async (keys: readonly string[]): Promise<readonly (Value | Error)[]> => {
    const { actor, budget } = context
    const values = await load(actor, keys, budget.rowsLeft + keys.length + 1, context)
    budget.load(values.reduce((rows, value) => rows + rowsIn(value), 0))
    return values
  }

const rowsIn = (value: unknown): number =>
  Array.isArray(value) ? value.length : isSlice(value) ? value.rows.length : 1

const isSlice = (value: unknown): value is Slice<unknown> =>
  typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows)
