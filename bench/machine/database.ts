import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { familyCpu } from './processor-time'

export type BenchDatabase = {
  /** Creates an empty database. @returns the connection string */
  create: (name: string) => Promise<string>
  /** Returns the CPU time that the server and its backends have used so far, in seconds. */
  cpu: () => number
  /**
   * PostgreSQL's version, durability settings, and `shared_buffers`, which the start of each report shows.
   */
  facts: Record<'version' | 'fsync' | 'synchronous_commit' | 'shared_buffers', string>
  /** A folder that the server's account can write to. */
  dir: string
  release: () => Promise<void>
}

/** Runs SQL on a database over a new connection. @returns the rows, if the SQL is a single statement */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * Starts a new PostgreSQL server that is as durable as in production: every commit is flushed to disk.
 * `release` stops the server and removes the data.
 * @param buffers the value of `shared_buffers`; if omitted, PostgreSQL's default applies
 */
export async function openBenchDatabase(buffers?: string): Promise<BenchDatabase> {
  const dir = fs.mkdtempSync(path.join(process.env.BENCH_DIR ?? os.tmpdir(), 'latchkey-bench-'))
  fs.chmodSync(dir, 0o755) // If root runs this, the server's account must be able to access the folder.
  const open = () => openEmbeddedDatabase(dir, { database: 'bench' })
  let server = await open()
  if (buffers) {
    await query(server.url, `ALTER SYSTEM SET shared_buffers = ${pg.escapeLiteral(buffers)}`)
    await server.release()
    server = await open()
  }
  const root = Number(
    fs.readFileSync(path.join(server.dir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  const [facts] = await query<BenchDatabase['facts']>(
    server.url,
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS synchronous_commit,
            current_setting('shared_buffers') AS shared_buffers`,
  )
  return {
    create: async (name) => {
      await query(server.url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    cpu: () => familyCpu(root),
    dir: path.join(server.dir, 'cluster'),
    facts: facts as BenchDatabase['facts'],
    release: async () => {
      await server.release()
      for (const each of [server.dir, dir]) fs.rmSync(each, { recursive: true, force: true })
    },
  }
}
