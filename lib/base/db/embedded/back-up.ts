import fs from 'node:fs'
import path from 'node:path'
import { moveConnection, withConnection } from './cluster'
import { copyCluster, copyLog } from './copy-cluster'
import { openEmbeddedDatabase } from './embedded-database'
import { readAllRows } from './restore'
import { canWrite, changeOwner, type ServerAccount, serverAccount } from './server-account'
import { clusterOf } from './server-directory'
import { hasOwnSecretKey, secretKeyFile } from './settings'

export type BackupReport = {
  bytes: number
  /** The number of tables that the verification read. */
  tables: number
  rows: number
  /** Whether the copy includes the key that decrypts its encrypted values. */
  withKey: boolean
}

/**
 * Copies the embedded database, even while it is in use, and the secret key in DATA_DIR unless SECRET_KEY is
 * set. Then verifies the copy by starting it and reading every row. The copy can be used as a DATA_DIR. See
 * ADR 0041.
 * @param dataDir path of DATA_DIR
 * @param target path of an empty folder or of a folder that does not exist
 * @throws Error with a message for the instance admin, or the file system's error. In both cases, an
 * incomplete copy is deleted.
 */
export async function backUp(dataDir: string, target: string): Promise<BackupReport> {
  const source = await openEmbeddedDatabase(dataDir)
  try {
    const account = serverAccount(source.dir)
    const { to, made } = await prepareTarget(target, account)
    const copied = await copyAll(source, dataDir, target, to, account).catch((error) => {
      for (const left of [secretKeyFile(target), made]) fs.rmSync(left, { recursive: true, force: true })
      throw error
    })
    return { ...copied, ...(await verify(target)) }
  } finally {
    await source.release()
  }
}

async function copyAll(
  { url, dir }: { url: string; dir: string },
  dataDir: string,
  target: string,
  to: string,
  account: ServerAccount,
): Promise<{ bytes: number; withKey: boolean }> {
  const bytes = await copyRunning(url, dir, to, account)
  const withKey = copyKey(dataDir, target)
  // Write the connection file last, so that its presence means that the copy is complete. The copy gets its
  // own port, so that it is not mistaken for the original.
  await moveConnection(dir, to, account)
  return { bytes, withKey }
}

/**
 * Creates the copy's server folder.
 * @returns `to`, the path of the folder, and `made`, the path of the first folder that was created for it
 * @throws Error with a message for the instance admin if the target is not empty or PostgreSQL's account
 * cannot use the folder
 */
async function prepareTarget(target: string, account: ServerAccount): Promise<{ to: string; made: string }> {
  if (fs.existsSync(target) && fs.readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Choose a folder that does not exist yet.`)
  }
  const to = path.join(target, 'postgres')
  const parent = fs.mkdirSync(target, { recursive: true, mode: account.uid === undefined ? 0o700 : 0o755 })
  fs.mkdirSync(to, { mode: 0o700 })
  changeOwner(account, to)
  const made = parent ?? to
  if (await canWrite(account, to)) return { to, made }
  fs.rmSync(made, { recursive: true })
  throw new Error(
    `PostgreSQL does not run as root and could not start in ${target}. Choose a folder that every account can enter, such as one below /var/tmp.`,
  )
}

/**
 * Copies the files of a running cluster as a PostgreSQL base backup. Then copies the write-ahead log from the
 * start of the backup, and writes the backup label that PostgreSQL needs to start the copy.
 * @returns the number of bytes copied
 */
function copyRunning(url: string, dir: string, to: string, account: ServerAccount): Promise<number> {
  const [from, cluster] = [clusterOf(dir), clusterOf(to)]
  return withConnection(url, async (client) => {
    // Create a temporary slot. Until the connection ends, the slot prevents PostgreSQL from removing the
    // write-ahead log that the copy needs.
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [
      `backup_${process.pid}`,
    ])
    await client.query(`SELECT pg_backup_start('latchkey', true)`)
    const bytes = await copyCluster(from, cluster, account, true)
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    )
    const { label } = rows[0] as { label: string }
    const [, first = ''] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(label) ?? []
    const log = await copyLog(from, cluster, account, first)
    const labelFile = path.join(cluster, 'backup_label')
    fs.writeFileSync(labelFile, label, { mode: 0o600 })
    changeOwner(account, labelFile)
    return bytes + log
  })
}

function copyKey(dataDir: string, target: string): boolean {
  const key = secretKeyFile(dataDir)
  // If SECRET_KEY is set, a key in DATA_DIR is from an earlier time and cannot decrypt the stored values.
  if (hasOwnSecretKey() || !fs.existsSync(key)) return false
  fs.writeFileSync(secretKeyFile(target), fs.readFileSync(key), { mode: 0o600 })
  return true
}

/**
 * Verifies a copy: starts its server, which replays the write-ahead log, and reads every row. Then stops the
 * server.
 */
async function verify(target: string): Promise<{ tables: number; rows: number }> {
  const copy = await openEmbeddedDatabase(target)
  try {
    return await readAllRows(copy.url)
  } finally {
    await copy.release()
  }
}
