import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { cloneDatabase, createBlankDatabase } from '@/lib/testing/database'
import { withConnection } from './embedded/cluster'
import { type Migration, MigrationError, migrate, missingMigrations, readMigrations } from './migrate'

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})
const first = migration('1_first', 'CREATE TABLE thing (id int);')

const rows = (url: string, sql: string) =>
  withConnection(url, async (client) => (await client.query(sql)).rows)

describe('migrate', () => {
  it('applies missing migrations only once and writes the same rows as Prisma', async () => {
    const url = await createBlankDatabase()
    expect(await migrate(url, [first])).toEqual({ applied: ['1_first'], edited: [] })
    expect(await migrate(url, [first])).toEqual({ applied: [], edited: [] })
    const [row] = await rows(url, 'SELECT * FROM _prisma_migrations')
    expect(row).toMatchObject({
      migration_name: '1_first',
      checksum: first.checksum,
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    })
    expect(row.finished_at).toBeInstanceOf(Date)
  })

  it('applies a migration only once even if several calls run concurrently', async () => {
    const url = await createBlankDatabase()
    const reports = await Promise.all(Array.from({ length: 5 }, () => migrate(url, [first])))
    expect(reports.flatMap((report) => report.applied)).toEqual(['1_first'])
  })

  it('rolls back and reports a failed migration, and applies it in the next run if it was fixed', async () => {
    const url = await createBlankDatabase()
    const broken = migration('2_more', 'CREATE TABLE other (id int); SELECT no_such_column;')
    await expect(migrate(url, [first, broken])).rejects.toThrow(
      /2_more failed and was rolled back.*no_such_column/,
    )
    expect(await rows(url, "SELECT to_regclass('other') AS found")).toEqual([{ found: null }])
    const mended = migration('2_more', 'CREATE TABLE other (id int);')
    expect((await migrate(url, [first, mended])).applied).toEqual(['2_more'])
  })

  it('rolls back an interrupted migration, and applies it in the next run', async () => {
    const url = await createBlankDatabase()
    const dying = migration('2_more', 'CREATE TABLE other (id int); SELECT pg_sleep(600);')
    const died = migrate(url, [first, dying]).catch((error) => error)
    const end = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)' AND state = 'active'`
    await expect.poll(() => rows(url, end)).toEqual([{ ended: true }])
    expect(await died).toBeInstanceOf(MigrationError)
    expect(await rows(url, "SELECT to_regclass('other') AS found")).toEqual([{ found: null }])
    expect(
      (await migrate(url, [first, migration('2_more', 'CREATE TABLE other (id int);')])).applied,
    ).toEqual(['2_more'])
  })

  it('stops at a failed migration that cannot be rolled back, and stores the error', async () => {
    const url = await createBlankDatabase()
    const broken = migration('2_index', 'CREATE INDEX CONCURRENTLY i ON no_such_table (id);')
    await expect(migrate(url, [first, broken])).rejects.toThrow(/2_index failed halfway.*no_such_table/)
    await expect(migrate(url, [first, broken])).rejects.toThrow(MigrationError)
    const [row] = await rows(
      url,
      "SELECT logs, finished_at FROM _prisma_migrations WHERE migration_name = '2_index'",
    )
    expect(row).toEqual({ logs: expect.stringContaining('no_such_table'), finished_at: null })
    await rows(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_index'")
    const mended = migration('2_index', 'CREATE INDEX CONCURRENTLY i ON thing (id);')
    expect((await migrate(url, [first, mended])).applied).toEqual(['2_index'])
  })

  it('reports the permissions that an unprivileged role needs from the database owner', async () => {
    const url = new URL(await createBlankDatabase())
    const role = `poor_${randomBytes(4).toString('hex')}`
    await rows(url.href, `CREATE ROLE ${role} LOGIN PASSWORD 'poor'`)
    const poor = new URL(url)
    Object.assign(poor, { username: role, password: 'poor' })
    const database = url.pathname.slice(1)
    await expect(migrate(poor.href, [first])).rejects.toThrow(
      `run \`GRANT CREATE ON SCHEMA public TO ${role}; GRANT CREATE ON DATABASE ${database} TO ${role};\`.`,
    )
    await rows(url.href, `GRANT CREATE ON SCHEMA public TO ${role}`)
    await expect(migrate(poor.href, [first])).rejects.toThrow(/run `GRANT CREATE ON DATABASE/)
    await rows(url.href, `GRANT CREATE ON DATABASE ${database} TO ${role}`)
    expect((await migrate(poor.href, [first])).applied).toEqual(['1_first'])
    await rows(url.href, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
  })

  it('reports an applied migration that was edited', async () => {
    const url = await createBlankDatabase()
    await migrate(url, [first])
    const report = await migrate(url, [{ ...first, checksum: 'f'.repeat(64) }])
    expect(report).toEqual({ applied: [], edited: ['1_first'] })
  })

  it('rejects a database that contains another product’s tables', async () => {
    const url = await createBlankDatabase()
    await rows(url, 'CREATE TABLE invoices (id int)')
    await expect(migrate(url, [first])).rejects.toThrow(/not empty.*invoices/)
    expect(await rows(url, "SELECT to_regclass('_prisma_migrations') AS found")).toEqual([{ found: null }])
  })
})

describe('missingMigrations', () => {
  it('returns all migrations for an empty database, and only new ones for a migrated database', async () => {
    const names = readMigrations('prisma/migrations').map((each) => each.name)
    const missingIn = async (url: string) => {
      const pool = new pg.Pool({ connectionString: url })
      try {
        return await missingMigrations(pool, [...names, '9_next'])
      } finally {
        await pool.end()
      }
    }
    expect(await missingIn(await createBlankDatabase())).toEqual([...names, '9_next'])
    expect(await missingIn(await cloneDatabase())).toEqual(['9_next'])
  })
})
