import PgBoss from 'pg-boss'
import { expect, it } from 'vitest'
import { loadStatements } from '@/lib/testing/load-statements'
import { pool } from './pool'

/**
 * The compiler does not check SQL statements. In this test, PostgreSQL parses each statement against the
 * current schema, so that a missing column or table is reported with the statement's name.
 */
it('every statement is valid PostgreSQL and has a unique name', { timeout: 120_000 }, async () => {
  const statements = await loadStatements()
  expect(statements.length).toBeGreaterThan(40)
  expect(statements.filter(([, texts]) => texts.length > 1).map(([name]) => name)).toEqual([])

  const client = await pool().connect()
  const failed: string[] = []
  try {
    // Create the job tables here, because they are created when the jobs start and not by a migration.
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
