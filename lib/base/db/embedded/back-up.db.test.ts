import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { backUp } from './back-up'
import { withConnection } from './cluster'
import { openEmbeddedDatabase } from './embedded-database'
import { thisProcess } from './file-lock.mjs'
import { restore } from './restore'

let base: string
beforeAll(() => {
  base = makeTemporaryData()
  fs.chmodSync(base, 0o755)
})
afterAll(() => removeTemporaryData(base))

afterEach(() => void vi.unstubAllEnvs())

const folder = (name: string) => path.join(base, name)

const ask = <Row extends object>(url: string, sql: string): Promise<Row[]> =>
  withConnection(url, async (client) => (await client.query<Row>(sql)).rows)

it('backup copies a database that is in use, and restore creates a consistent database from the copy', async () => {
  const source = await openEmbeddedDatabase(folder('data'), { fast: true })
  fs.writeFileSync(folder('data/secret-key'), 'kept')
  // Register another process that keeps using the database. In production, the server process is also
  // separate from the command.
  const server = path.join(source.dir, 'users', 'server')
  fs.writeFileSync(server, JSON.stringify(thisProcess()))
  await ask(source.url, 'CREATE TABLE pairs (n int PRIMARY KEY, twin int)')
  const writer = new pg.Client(source.url)
  await writer.connect()
  let written = 0
  let writing = true
  const writes = (async () => {
    for (; writing; written++) {
      // Both rows are written in one transaction. A copy with only one of them would not be consistent.
      await writer.query('BEGIN')
      await writer.query('INSERT INTO pairs VALUES ($1, $2)', [written * 2, written * 2 + 1])
      await writer.query('INSERT INTO pairs VALUES ($1, $2)', [written * 2 + 1, written * 2])
      await writer.query('COMMIT')
    }
  })()
  while (written < 50) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = written

  vi.stubEnv('SECRET_KEY', '')
  const report = await backUp(folder('data'), folder('copy'))
  writing = false
  await writes
  await writer.end()
  expect(report).toMatchObject({ tables: 1, withKey: true })
  expect(report.rows).toBeGreaterThanOrEqual(before * 2)
  expect(fs.statSync(folder('copy/secret-key')).mode & 0o077).toBe(0)
  fs.rmSync(server)
  await source.release()

  expect(await restore(folder('copy'), folder('elsewhere'))).toEqual({
    tables: 1,
    rows: report.rows,
    withKey: true,
  })
  expect(fs.readFileSync(folder('elsewhere/secret-key'), 'utf8')).toBe('kept')
  const restored = await openEmbeddedDatabase(folder('elsewhere'), { fast: true })
  const [counts] = await ask<{ rows: number; twins: number }>(
    restored.url,
    'SELECT count(*)::int AS rows, count(t.n)::int AS twins FROM pairs p LEFT JOIN pairs t ON t.n = p.twin',
  )
  expect(counts).toEqual({ rows: report.rows, twins: report.rows })
  await restored.release()
}, 90_000)

it('backup omits the key in DATA_DIR if SECRET_KEY is set', async () => {
  vi.stubEnv('SECRET_KEY', 'a key from the environment')
  const { withKey } = await backUp(folder('data'), folder('copy-without-key'))
  expect(withKey).toBe(false)
  expect(fs.existsSync(folder('copy-without-key/secret-key'))).toBe(false)
})

it.runIf(process.getuid?.() === 0)(
  'restore run as root leaves no location file behind if it fails, and can then be run again',
  async () => {
    const data = path.join(folder('closed'), 'data')
    fs.mkdirSync(data, { recursive: true })
    // PostgreSQL's account cannot enter this folder, so `restore` creates the cluster elsewhere.
    fs.chmodSync(folder('closed'), 0o700)
    const copy = folder('spoilt')
    fs.mkdirSync(path.join(copy, 'postgres/cluster'), { recursive: true })
    fs.mkdirSync(path.join(copy, 'secret-key'))
    fs.writeFileSync(path.join(copy, 'postgres/connection.json'), '{}')
    fs.writeFileSync(path.join(copy, 'postgres/cluster/PG_VERSION'), '18')
    for (const _time of [1, 2]) await expect(restore(copy, data)).rejects.toThrow(/EISDIR/)
    expect(fs.readdirSync(data)).toEqual([])
  },
)

it.runIf(process.getuid?.() === 0)(
  'backup run as root leaves nothing behind if the server cannot be started',
  async () => {
    const shut = folder('shut')
    fs.mkdirSync(shut, { mode: 0o700 })
    await expect(backUp(folder('data'), path.join(shut, 'monday/copy'))).rejects.toThrow(/could not start in/)
    expect(fs.readdirSync(shut)).toEqual([])
  },
)

it('backup leaves nothing behind if the copy fails', async () => {
  const copy = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  })
  await expect(backUp(folder('data'), folder('full/copy'))).rejects.toThrow('ENOSPC')
  copy.mockRestore()
  expect(fs.existsSync(folder('full'))).toBe(false)
})

it('backup and restore never overwrite files, and restore rejects an incomplete backup', async () => {
  await expect(backUp(folder('data'), folder('copy'))).rejects.toThrow(/is not empty/)
  await expect(restore(folder('copy'), folder('data'))).rejects.toThrow(/already contains postgres/)
  fs.rmSync(folder('copy/postgres/connection.json'))
  await expect(restore(folder('copy'), folder('new'))).rejects.toThrow(/is not a complete backup/)
})
