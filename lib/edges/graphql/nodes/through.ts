import { AppError, isAppError } from '@/lib/base/errors/app-error'

/** Reads what several ids name, in their order; an Error in the place of one concerns that one alone. */
export type ReadMany<Row> = (ids: readonly string[]) => Promise<readonly (Row | Error)[]>

/** What a caller is told of an id that names nothing, or nothing they may know of. */
export const unknown = (type: string, id: string): AppError =>
  new AppError('NOT_FOUND', `There is no such ${type.replaceAll('_', ' ')}, or you cannot see it.`, {
    resource: { type, id },
  })

/**
 * Lets rows through by what they belong to, such as webhooks by their workspaces. Who may not know of the owner learns
 * nothing of the row either.
 * @param type of the rows, as errors name it
 * @param found the rows that are there, in any order
 * @param ownerOf the id of what a row belongs to; null for none, which nobody may read
 * @param owners decides for each owner
 * @param join the row with its owner
 */
export async function through<Row extends { id: string }, Owner, Value = Row>(
  { type, ids, found }: { type: string; ids: readonly string[]; found: readonly Row[] },
  ownerOf: (row: Row) => string | null,
  owners: ReadMany<Owner>,
  join: (row: Row, owner: Owner) => Value = (row) => row as unknown as Value,
): Promise<(Value | Error)[]> {
  const rows = new Map(found.map((row) => [row.id, row]))
  const ownerIds = [...new Set(found.flatMap((row) => ownerOf(row) ?? []))]
  const decided = ownerIds.length === 0 ? [] : await owners(ownerIds)
  const byOwner = new Map(ownerIds.map((id, index) => [id, decided[index]]))
  return ids.map((id) => {
    const row = rows.get(id.toLowerCase()) ?? rows.get(id)
    const owner = row && byOwner.get(ownerOf(row) ?? '')
    if (!row || owner === undefined) return unknown(type, id)
    if (!(owner instanceof Error)) return join(row, owner)
    return isAppError(owner) && owner.code === 'NOT_FOUND' ? unknown(type, id) : owner
  })
}

/** The person's own rows: what is somebody else's is not there. @param authorize throws what keeps all of them back */
export async function own<Row extends { id: string }>(
  type: string,
  ids: readonly string[],
  authorize: () => void,
  read: () => Promise<Row[]>,
): Promise<(Row | Error)[]> {
  authorize()
  const rows = new Map((await read()).map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id.toLowerCase()) ?? unknown(type, id))
}
