import { execFile } from 'node:child_process'
import fs from 'node:fs'

/** The account that the database server runs as; empty for that of this process. */
export type ServerAccount = { uid?: number; gid?: number }

/** PostgreSQL refuses to run as root. This is the user `nobody` on every system that has it. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const isRoot = () => process.getuid?.() === 0

/**
 * Returns the account for a server. For root, it is the owner of the existing data, or `nobody`.
 * @param existing a folder of the server, if there is one
 */
export function serverAccount(existing?: string): ServerAccount {
  if (!isRoot()) return {}
  if (existing && fs.existsSync(existing)) {
    const { uid, gid } = fs.statSync(existing)
    if (uid !== 0) return { uid, gid }
  }
  return UNPRIVILEGED
}

/**
 * Changes the owner of a file or folder to the account. Does nothing if that is the account of this process.
 */
export function changeOwner(account: ServerAccount, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

/**
 * Whether the account can run a program. A parent folder can be closed to everyone but root.
 * @returns false if the program cannot be reached or executed, or exits with an error
 */
export const canRunAs = (account: ServerAccount, program: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { ...account, cwd: '/', windowsHide: true }, (error) => resolve(error === null))
  })

/** Whether the account can enter and write to a folder. */
export const canWrite = async (account: ServerAccount, dir: string): Promise<boolean> =>
  account.uid === undefined
    ? fs.existsSync(dir)
    : canRunAs(account, '/bin/sh', ['-c', 'cd -- "$1" && : > .reachable && rm .reachable', 'sh', dir])
