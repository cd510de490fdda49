import pg from 'pg'

/**
 * Reads every row of every table; pages are checked against their checksums on the way.
 * @throws what PostgreSQL says of a page that is not as it was written
 */
export async function readEverything(url: string): Promise<{ tables: number; rows: number }> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    let rows = 0
    for (const { name } of tables) {
      // A count of whole rows, which no index can answer.
      const { rows: counted } = await client.query<{ rows: number }>(
        `SELECT count(t.*)::int AS rows FROM ${name} t`,
      )
      rows += counted[0]?.rows ?? 0
    }
    return { tables: tables.length, rows }
  } finally {
    await client.end()
  }
}
