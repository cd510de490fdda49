import PgBoss from 'pg-boss'
import { expect, it } from 'vitest'
import { loadStatements } from '@/lib/testing/noted-statements'
import { pool } from './pool'
import { kindOfStatement } from './replicas/kind-of-statement'
import { namesThatTakeNothing, takesNothing } from './replicas/takes-nothing'

/**
 * Statements are texts, which no compiler reads. PostgreSQL reads each of them here against the schema as it is now: one
 * that names a column or a table that is gone fails, by its name.
 */
it('is one that PostgreSQL understands, under a name of its own', { timeout: 120_000 }, async () => {
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

it('waits for replicas if it writes, unless somebody has judged that it takes access from nobody', async () => {
  const writes = (await loadStatements()).filter(([, [text]]) => kindOfStatement(String(text)) === 'write')
  const names = writes.map(([name]) => name)
  expect([...namesThatTakeNothing].filter((name) => !names.includes(name))).toEqual([])
  // A new one appears here. Does nobody lose access by it, and is it asked often? Then it goes to takes-nothing.ts.
  expect(names.filter((name) => !takesNothing(name)).sort()).toEqual([
    'app-sign-in-end',
    'oauth-artifact-consume',
    'oauth-artifact-delete',
    'oauth-artifact-delete-family',
    'oauth-device-decide',
  ])
})
