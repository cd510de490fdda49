import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isAlive, thisProcess } from '@/lib/base/db/embedded/file-lock.mjs'

const PREFIX = 'latchkey-test-'

/** A new folder for the DATA_DIR of a test run; it names this process, so that a killed run's folder is recognised. */
export function makeTemporaryData(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX))
  fs.chmodSync(dir, 0o755) // as root, the database server's own account must pass through
  fs.writeFileSync(path.join(dir, 'owner.json'), JSON.stringify(thisProcess()))
  return dir
}

/** Removes the folder and the database in it, which must have stopped. */
export function removeTemporaryData(dir: string): void {
  fs.rmSync(serverFolder(dir), { recursive: true, force: true, maxRetries: 5 })
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

/** Ends whatever killed test runs left behind, launchers first, then database servers, and removes their data. */
export function removeLeftovers(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const dir = path.join(os.tmpdir(), name)
    try {
      if (isAlive(JSON.parse(fs.readFileSync(path.join(dir, 'owner.json'), 'utf8')))) continue
    } catch {
      continue // just being made
    }
    endProcesses(serverFolder(dir))
    try {
      removeTemporaryData(dir)
    } catch (error) {
      // Such as the disk of a drill that was killed before it unmounted it: in nobody's way but for its room.
      console.warn(`${dir}, left by a run that was killed, could not be removed: ${error}`)
    }
  }
}

/** Where the data of the database server lies, which may have had to go elsewhere (lib/base/db/embedded/server-directory). */
export function serverFolder(dir: string): string {
  const pointer = path.join(dir, 'postgres.location')
  return fs.existsSync(pointer) ? fs.readFileSync(pointer, 'utf8').trim() : path.join(dir, 'postgres')
}

function endProcesses(folder: string): void {
  const users = path.join(folder, 'users')
  for (const user of fs.existsSync(users) ? fs.readdirSync(users) : []) {
    const holder = JSON.parse(fs.readFileSync(path.join(users, user), 'utf8'))
    if (isAlive(holder)) process.kill(holder.pid, 'SIGKILL')
  }
  const pidFile = path.join(folder, 'cluster', 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return
  try {
    process.kill(Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // It died with its test run.
  }
}
