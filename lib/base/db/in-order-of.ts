/**
 * Sorts rows read for several keys at once back to their keys.
 * @returns for each key, in order, its rows in the order they were read
 */
export function inOrderOf<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const byKey = new Map<string, Row[]>(keys.map((key) => [key, []]))
  for (const row of rows) byKey.get(keyOf(row))?.push(row)
  return keys.map((key) => byKey.get(key) ?? [])
}
