import fs from 'node:fs/promises'
import path from 'node:path'
import { changeOwner, type ServerAccount } from './server-account'

/**
 * Folders whose content is not copied from a running server. In the copy, they must exist but can be empty.
 * `copyLog` copies the part of `pg_wal` that the copy needs.
 */
const emptied = [
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
  'pg_wal',
]

/** Matches files that a copy must not contain (PostgreSQL manual, "Making a Base Backup"). */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*)$/

/** The options of a copy: the account of the server, and filters for folders and files. */
type Copying = {
  account: ServerAccount
  /**
   * Returns whether the content of a folder is copied.
   * @param folder its path relative to the source, with forward slashes
   */
  enters?: (folder: string) => boolean
  copies?: (name: string) => boolean
}

/**
 * Copies a cluster's files, except those that `leftOut` matches. Skips files that a running server deletes
 * during the copy, because the write-ahead log contains the server's changes.
 * @param running whether the server is running; if so, the content of the folders in `emptied` is not copied
 * @returns the number of bytes copied
 */
export const copyCluster = (
  from: string,
  to: string,
  account: ServerAccount,
  running: boolean,
): Promise<number> =>
  copyFolder(from, to, {
    account,
    enters: (folder) => !(running && emptied.includes(folder)),
    copies: (name) => !leftOut.test(name),
  })

/**
 * Copies the write-ahead log, starting with the given segment, and the timeline history files.
 * @param first the segment's name, 24 hexadecimal digits
 */
export const copyLog = (from: string, to: string, account: ServerAccount, first: string): Promise<number> =>
  copyFolder(path.join(from, 'pg_wal'), path.join(to, 'pg_wal'), {
    account,
    enters: (folder) => folder === '',
    copies: (name) => name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= first),
  })

async function copyFolder(from: string, to: string, copying: Copying, below = ''): Promise<number> {
  const { account, enters = () => true, copies = () => true } = copying
  await fs.mkdir(to, { recursive: true, mode: 0o700 })
  changeOwner(account, to)
  if (!enters(below)) return 0
  let bytes = 0
  for (const entry of await fs.readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) {
      bytes += await copyFolder(source, target, copying, path.posix.join(below, entry.name))
    } else if (copies(entry.name) && (await copyFile(source, target))) {
      changeOwner(account, target)
      bytes += (await fs.stat(target)).size
    }
  }
  return bytes
}

/** @returns false if the file no longer exists */
async function copyFile(from: string, to: string): Promise<boolean> {
  try {
    await fs.copyFile(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
