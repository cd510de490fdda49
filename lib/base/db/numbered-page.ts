/** A page of a list by its number, from 1: for lists that people leaf through, and whose length they are told. See decision 184. */
export type NumberedPage = { number: number; size: number }

/** A page that was read, and how many rows there are on all of them. */
export type NumberedRows<Row> = NumberedPage & { rows: Row[]; total: number }

/**
 * Reads one page. One beyond the last is the first: what was on it is gone.
 * @param read a window of the list; each row tells how many there are in all
 */
export async function readNumbered<Row extends { total: number }>(
  { number, size }: NumberedPage,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<NumberedRows<Omit<Row, 'total'>>> {
  const rows = await read(size, (number - 1) * size)
  if (rows.length === 0 && number > 1) return readNumbered({ number: 1, size }, read)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0, number, size }
}
