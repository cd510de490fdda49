import fs from 'node:fs'
import path from 'node:path'
import { moveConnection, withConnection } from './cluster'
import { copyCluster } from './copy-cluster'
import { openEmbeddedDatabase } from './embedded-database'
import { clusterOf, serverDirectory } from './server-directory'
import { secretKeyFile } from './settings'

export type RestoreReport = { tables: number; rows: number; withKey: boolean }

/**
 * Restores a backup to DATA_DIR. `backUp` might have created the backup on another machine. Then verifies the
 * restored database by starting it and reading every row.
 * @param from path of the backup
 * @param dataDir path of a DATA_DIR without a database or a secret key
 * @throws Error with a message for the instance admin; any restored files are then deleted
 */
export async function restore(from: string, dataDir: string): Promise<RestoreReport> {
  const copy = path.join(from, 'postgres')
  if (
    !fs.existsSync(path.join(copy, 'connection.json')) ||
    !fs.existsSync(path.join(clusterOf(copy), 'PG_VERSION'))
  ) {
    throw new Error(`${from} is not a complete backup. Choose a folder created by \`latchkey backup\`.`)
  }
  refuseExisting(dataDir)
  const { dir, account, relocated } = await serverDirectory(dataDir)
  const key = secretKeyFile(from)
  const withKey = fs.existsSync(key)
  try {
    await copyCluster(clusterOf(copy), clusterOf(dir), account, false)
    if (withKey) fs.writeFileSync(secretKeyFile(dataDir), fs.readFileSync(key), { mode: 0o600 })
    await moveConnection(copy, dir, account)
    const database = await openEmbeddedDatabase(dataDir)
    try {
      return { withKey, ...(await readAllRows(database.url)) }
    } finally {
      await database.release()
    }
  } catch (error) {
    if (withKey) fs.rmSync(secretKeyFile(dataDir), { force: true })
    fs.rmSync(dir, { recursive: true, force: true })
    if (relocated) fs.rmSync(path.join(dataDir, 'postgres.location'), { force: true })
    throw error
  }
}

function refuseExisting(dataDir: string): void {
  const found = ['postgres', 'postgres.location', 'secret-key'].find((name) =>
    fs.existsSync(path.join(dataDir, name)),
  )
  if (found) {
    throw new Error(`${dataDir} already contains ${found}. Move that folder, or set DATA_DIR to another one.`)
  }
}

/**
 * Reads every row of every table outside the system catalogs, so that PostgreSQL verifies the checksums of
 * the pages that contain the rows.
 * @returns the numbers of tables and rows
 * @throws PostgreSQL's error for a corrupt page
 */
export const readAllRows = (url: string): Promise<{ tables: number; rows: number }> =>
  withConnection(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    let rows = 0
    for (const { name } of tables) {
      // Count whole rows, so that PostgreSQL must read the table and cannot use only an index.
      const { rows: counted } = await client.query<{ rows: number }>(
        `SELECT count(t.*)::int AS rows FROM ${name} t`,
      )
      rows += counted[0]?.rows ?? 0
    }
    return { tables: tables.length, rows }
  })
