import fs from 'node:fs'
import path from 'node:path'
import PgBoss from 'pg-boss'
import { expect, it } from 'vitest'
import { notedStatements } from './named-statements'
import { pool } from './pool'

/**
 * Statements are texts, which no compiler reads. PostgreSQL reads each of them here against the schema as it is now: one
 * that names a column or a table that is gone fails, by its name.
 */
const definesStatements = /\b(?:statement|readByKey|packedStatement|pageOfProjects)[<(]/

const modules = fs
  .readdirSync('lib', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(?:generated|testing|base\/db)\//.test(file))
  .map((file) => path.resolve('lib', file))
  .filter((file) => definesStatements.test(fs.readFileSync(file, 'utf8')))

it('is one that PostgreSQL understands, under a name of its own', { timeout: 120_000 }, async () => {
  for (const file of modules) await import(file)
  const statements = [...notedStatements()]
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
