import type pg from 'pg'
import { type Place, tableLayout } from './table-layout'

/** Where a table lies by now, as Citus says. */
type Lies = { table: string; place: string; by: string }

/**
 * Reads which tables lie as the layout has it.
 * @returns their names; those not yet touched are missing
 * @throws Error with one sentence where a table lies otherwise, which only its operator can want
 */
export async function readPlaces(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<Lies>(
    `SELECT table_name::text AS table, citus_table_type AS place, distribution_column AS by FROM citus_tables
      WHERE table_name::text = ANY($1)`,
    [Object.keys(tableLayout)],
  )
  const placed = new Set<string>()
  for (const lies of rows) {
    const wanted = tableLayout[lies.table] as Place
    if (isAsWanted(lies, wanted)) placed.add(lies.table)
    else if (lies.place !== 'local') throw new Error(sentenceFor(lies, wanted))
  }
  return placed
}

const isAsWanted = ({ place, by }: Lies, wanted: Place): boolean =>
  typeof wanted === 'object' ? place === 'distributed' && by === wanted.by : place === wanted

function sentenceFor({ table, place, by }: Lies, wanted: Place): string {
  const is = place === 'reference' ? 'copied to every node' : `in shards by ${by}`
  const should =
    wanted === 'local'
      ? 'on the coordinator alone'
      : wanted === 'reference'
        ? 'copied to every node'
        : `in shards by ${wanted.by}`
  return `${table} is ${is} already and should be ${should}: SELECT undistribute_table('${table}') first.`
}
