import { execFile } from 'node:child_process'
import fs from 'node:fs'

/** The account the database server runs as; empty for the account of this process. */
export type ServerAccount = { uid?: number; gid?: number }

/** PostgreSQL refuses to run as root. This is `nobody` on every system that has one. */
const NOBODY = { uid: 65_534, gid: 65_534 }

const isRoot = () => process.getuid?.() === 0

/**
 * Chooses the account for a server. As root it is the owner of the data that is already there, or `nobody`.
 * @param existing a folder of the server, where one was made before
 */
export function serverAccount(existing?: string): ServerAccount {
  if (!isRoot()) return {}
  if (existing && fs.existsSync(existing)) {
    const { uid, gid } = fs.statSync(existing)
    if (uid !== 0) return { uid, gid }
  }
  return NOBODY
}

/** Hands a file or folder to the account; nothing happens when that is the account of this process. */
export function giveTo(account: ServerAccount, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

/**
 * Whether a program runs when the account starts it. Needed because a folder above it may be closed to everyone but root.
 * @returns false when it cannot be reached, cannot be executed, or ends with an error
 */
export const runsAs = (account: ServerAccount, program: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { ...account, cwd: '/', windowsHide: true }, (error) => resolve(error === null))
  })

/** Whether the account can enter a folder and write into it. */
export const canWrite = async (account: ServerAccount, dir: string): Promise<boolean> =>
  account.uid === undefined
    ? fs.existsSync(dir)
    : runsAs(account, '/bin/sh', ['-c', 'cd -- "$1" && : > .reachable && rm .reachable', 'sh', dir])
