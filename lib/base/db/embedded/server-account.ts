import { execFile } from 'node:child_process'
import fs from 'node:fs'

/** The account that the database server runs as. An empty object means the account of this process. */
export type ServerAccount = { uid?: number; gid?: number }

/** The usual IDs of an account without privileges. PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const isRoot = () => process.getuid?.() === 0

/**
 * Returns the account to run a server as. If this process does not run as root, this is the account of this
 * process. Otherwise, this is the owner of the `existing` folder or, if the folder does not exist or root
 * owns it, an account without privileges.
 * @param existing the path of the server folder, even if the folder does not exist
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
 * Changes the owner of a file or folder to the account. Does nothing if `account` is the account of this
 * process.
 */
export function changeOwner(account: ServerAccount, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

/**
 * Returns whether the account can run a program. An account cannot run it if, for example, a parent folder is
 * accessible only to root.
 * @returns false if the program cannot be reached or executed, or exits with an error
 */
export const canRunAs = (account: ServerAccount, program: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { ...account, cwd: '/', windowsHide: true }, (error) => resolve(error === null))
  })

/**
 * Returns whether the account can enter and write to a folder. If `account` is the account of this process,
 * checks only that the folder exists.
 */
export const canWrite = async (account: ServerAccount, dir: string): Promise<boolean> =>
  account.uid === undefined
    ? fs.existsSync(dir)
    : canRunAs(account, '/bin/sh', ['-c', 'cd -- "$1" && : > .reachable && rm .reachable', 'sh', dir])
