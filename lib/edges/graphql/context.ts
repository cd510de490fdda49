import DataLoader from 'dataloader'
import { maxPageSize, type Page, type Slice } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import type { Usage } from '@/lib/features/figures/count-usage'
import type { Actor } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import type { AnswerBudget } from './limits/answer-budget'

/**
 * The context of every resolver: the caller, the trace ID, and the limits. Each request, and each event of a
 * subscription, has its own context.
 */
export type GraphQLContext = {
  traceId: string
  caller: Caller
  actor: Actor
  budget: AnswerBudget
  /** The state of the token's rate limit after this request. */
  usage: Usage
  /**
   * For a subscription: a function that returns the current caller, and a signal for the end of the stream.
   */
  live?: { caller: () => Promise<Caller>; ended: AbortSignal }
}

/**
 * @param most the maximum number of rows to read for all keys together. Reading more rows is useless, because
 *   the budget rejects the response at this number
 */
type LoadMany<Value> = (
  actor: Actor,
  keys: readonly string[],
  most: number,
  context: GraphQLContext,
) => Promise<readonly (Value | Error)[]>

/**
 * Batches the reads of one field for all rows of a request, so that reading the field for a whole list takes
 * only one call of `loadMany`.
 * @param loadMany reads the values of several keys, in order. An Error replaces a value that cannot be read
 * @returns a function that returns the loader for a request. Requests do not share loaders
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
 * Loads the values of several IDs that the caller passed. Each ID can fail separately, and every failure
 * counts against the budget.
 * @throws AppError BAD_USER_INPUT on `ids` if there are too many
 */
export function loadEach<Value>(
  context: GraphQLContext,
  loader: DataLoader<string, Value>,
  ids: readonly string[],
): Promise<Value>[] {
  if (ids.length > maxPageSize)
    throw badInput('ids', `You requested too many IDs. Request up to ${maxPageSize} at a time.`)
  return loadReferenced(context, loader, ids)
}

/**
 * Loads the values of the IDs that a row contains. Unlike `loadEach`, this function does not limit the number
 * of IDs, because a row can contain more IDs than a caller can pass.
 */
export const loadReferenced = <Value>(
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

/**
 * Batches the reads of a connection in the rows of another list: rows that request the same page are read
 * together.
 */
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
 * Returns a batch function that passes a limit on the number of rows to `load`, and counts the returned rows
 * against the budget. Without the limit, an operation could read a hundred nested rows for each of a thousand
 * rows. The limit is the number of rows left in the budget, plus one row per key to detect a next page, plus
 * one row to detect that the budget is exceeded.
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
