import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { moveConnection } from './cluster'
import { copyCluster, copyLog } from './copy-cluster'
import { openEmbeddedDatabase } from './embedded-database'
import { readAllRows } from './restore'
import { canWrite, giveTo, type ServerAccount, serverAccount } from './server-account'
import { clusterOf } from './server-directory'

export type BackupReport = {
  bytes: number
  /** What was read of the copy once it had been started. */
  tables: number
  rows: number
  /** Whether the key that opens what is sealed in it is part of it. */
  withKey: boolean
}

/**
 * Copies the embedded database while it is used, and shows that the copy is good: it is started and read to the last row.
 * The copy is a DATA_DIR of its own.
 * See ADR 0052.
 * @param dataDir path of DATA_DIR
 * @param target path of a folder that is not there, or empty
 * @throws Error with one sentence
 */
export async function backUp(dataDir: string, target: string): Promise<BackupReport> {
  const source = await openEmbeddedDatabase(dataDir)
  try {
    const account = serverAccount(source.dir)
    const to = await prepareTarget(target, account)
    const bytes = await copyRunning(source.url, source.dir, to, account)
    const withKey = copyKey(dataDir, target)
    // Last, because its presence says that the copy is whole; with a port of its own, or the copy would be taken for the original.
    await moveConnection(source.dir, to, account)
    return { bytes, withKey, ...(await verify(target)) }
  } finally {
    await source.release()
  }
}

/** The folder of the server in the copy. Root's copy belongs to the account that PostgreSQL runs as, which must get there. */
async function prepareTarget(target: string, account: ServerAccount): Promise<string> {
  if (fs.existsSync(target) && fs.readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Name a folder that does not exist.`)
  }
  const to = path.join(target, 'postgres')
  const made = fs.mkdirSync(target, { recursive: true, mode: account.uid === undefined ? 0o700 : 0o755 })
  fs.mkdirSync(to, { mode: 0o700 })
  giveTo(account, to)
  if (await canWrite(account, to)) return to
  fs.rmSync(made ?? to, { recursive: true })
  throw new Error(
    `PostgreSQL does not run as root and could not start in ${target}. Name a folder that every account can enter, such as one below /var/tmp.`,
  )
}

/** A copy of the files between two marks in the write-ahead log, and the log from the first mark to the second. */
async function copyRunning(url: string, dir: string, to: string, account: ServerAccount): Promise<number> {
  const [from, cluster] = [clusterOf(dir), clusterOf(to)]
  const client = new pg.Client(url)
  await client.connect()
  try {
    // Keeps the log until this connection ends, however much is written.
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
    giveTo(account, labelFile)
    return bytes + log
  } finally {
    await client.end()
  }
}

function copyKey(dataDir: string, target: string): boolean {
  const key = path.join(dataDir, 'secret-key')
  if (!fs.existsSync(key)) return false
  fs.writeFileSync(path.join(target, 'secret-key'), fs.readFileSync(key), { mode: 0o600 })
  return true
}

/** Starts a copy, which brings it to the second mark, reads it, and stops it in order. */
async function verify(target: string): Promise<{ tables: number; rows: number }> {
  const copy = await openEmbeddedDatabase(target)
  try {
    return await readAllRows(copy.url)
  } finally {
    await copy.release()
  }
}
