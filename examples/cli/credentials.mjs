// Stores the tokens of the command-line tool in a file that only its owner can read.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const file =
  process.env.CREDENTIALS_FILE ??
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'latchkey-example-cli', 'credentials.json')

/** Returns the credentials saved for this server, or an empty object. */
export function readCredentials(server) {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    return kept.server === server ? kept : {}
  } catch {
    return {}
  }
}

/**
 * Replaces the file atomically, so that a crash cannot truncate it. The temporary file is created with mode
 * 0600, so that no one else can read it.
 * @returns the credentials
 */
export function writeCredentials(credentials) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(credentials, null, 2), { mode: 0o600 })
  renameSync(draft, file)
  return credentials
}

export const forgetCredentials = () => rmSync(file, { force: true })
