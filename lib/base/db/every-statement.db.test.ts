import PgBoss from 'pg-boss'
import { expect, it } from 'vitest'
import { loadStatements } from '@/lib/testing/load-statements'
import { pool } from './pool'

/**
 * Statements are texts, which no compiler reads. PostgreSQL reads each of them here against the schema as it is now: one
 * that names a column or a table that is gone fails, by its name.
 */
it('is valid PostgreSQL with a unique name', { timeout: 120_000 }, async () => {
  const statements = await loadStatements()
  expect(statements.length).toBeGreaterThan(40)
  expect(statements.filter(([, texts]) => texts.length > 1).map(([name]) => name)).toEqual([])

  const client = await pool().connect()
  const failed: string[] = []
  try {
    // The tables of jobs are made when the jobs start, not by a migration.
    await client.query(PgBoss.getConstructionPlans('pgboss'))
    for (const [name, [text]] of statements) {
      await client
        .query(`PREPARE "checked-${name}" AS ${text}`)
        .catch((error: Error) => failed.push(`${name}: ${error.message}`))
    }
  } finally {
    client.release()
  }
  expect(failed).toEqual([])
})
