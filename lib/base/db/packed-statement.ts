import { readByKey } from './shared-reads'

/**
 * A read by key (shared-reads.ts) whose rows travel as one JSON array each. The driver spends more time on each further
 * column of an answer than PostgreSQL on writing all of them as one, which counts where every request reads a wide row.
 * Values are what JSON makes of them: arrays and objects arrive as such, times as texts, and bytes must be encoded.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param columns the SQL of each column, by the name it gets
 * @param rest the statement from its FROM on
 * @returns a function from the values to the rows
 */
export function packedStatement<Row extends object, Values extends unknown[]>(
  name: string,
  columns: Record<keyof Row & string, string>,
  rest: string,
): (...values: Values) => Promise<Row[]> {
  const names = Object.keys(columns)
  const run = readByKey<{ row: unknown[] }, Values>(
    name,
    `SELECT json_build_array(${Object.values(columns).join(', ')}) AS row ${rest}`,
  )
  const unpack = ({ row }: { row: unknown[] }) => {
    const unpacked: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) unpacked[names[i] as string] = row[i]
    return unpacked as Row
  }
  return (...values) => run(...values).then((rows) => rows.map(unpack))
}
