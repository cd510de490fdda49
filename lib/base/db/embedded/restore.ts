import fs from 'node:fs'
import path from 'node:path'
import { moveConnection } from './cluster'
import { copyCluster } from './copy-cluster'
import { openEmbeddedDatabase } from './embedded-database'
import { readEverything } from './read-everything'
import { clusterOf, serverDirectory } from './server-directory'

export type RestoreReport = { tables: number; rows: number; withKey: boolean }

/**
 * Puts a copy that `backUp` made into DATA_DIR, here or on another machine, starts it and reads it to the last row.
 * @param from path of the copy
 * @param dataDir path of DATA_DIR, in which there is no database yet
 * @throws Error with one sentence; DATA_DIR is then as it was
 */
export async function restore(from: string, dataDir: string): Promise<RestoreReport> {
  const copy = path.join(from, 'postgres')
  if (
    !fs.existsSync(path.join(copy, 'connection.json')) ||
    !fs.existsSync(path.join(clusterOf(copy), 'PG_VERSION'))
  ) {
    throw new Error(`${from} is no whole backup; name a folder that \`latchkey backup\` has made.`)
  }
  refuseExisting(dataDir)
  const { dir, account, relocated } = await serverDirectory(dataDir)
  const key = path.join(from, 'secret-key')
  const withKey = fs.existsSync(key)
  try {
    await copyCluster(clusterOf(copy), clusterOf(dir), account, false)
    if (withKey) fs.writeFileSync(keyFile(dataDir), fs.readFileSync(key), { mode: 0o600 })
    await moveConnection(copy, dir, account)
    const database = await openEmbeddedDatabase(dataDir)
    try {
      return { withKey, ...(await readEverything(database.url)) }
    } finally {
      await database.release()
    }
  } catch (error) {
    if (withKey) fs.rmSync(keyFile(dataDir), { force: true })
    fs.rmSync(dir, { recursive: true, force: true })
    if (relocated) fs.rmSync(path.join(dataDir, 'postgres.location'), { force: true })
    throw error
  }
}

const keyFile = (dataDir: string) => path.join(dataDir, 'secret-key')

function refuseExisting(dataDir: string): void {
  const found = ['postgres', 'postgres.location', 'secret-key'].find((name) =>
    fs.existsSync(path.join(dataDir, name)),
  )
  if (found) {
    throw new Error(
      `There is ${found} in ${dataDir} already; move that folder out of the way, or set DATA_DIR to another one.`,
    )
  }
}
