import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isAlive, thisProcess } from '@/lib/base/db/embedded/file-lock.mjs'

const PREFIX = 'latchkey-test-'

/** A file system in memory that most Linux systems have. */
const MEMORY = '/dev/shm'

/**
 * The free memory, in bytes, from which test data is stored in memory. The databases of all integration test
 * files together need about 4 GB.
 */
const ENOUGH = 10e9

/**
 * Returns the folder for test data. In memory, creating and removing the several hundred thousand files of
 * the tests' databases takes a tenth of the time.
 */
function temporaryRoot(): string {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY)
    if (bavail * bsize > ENOUGH && os.freemem() > ENOUGH) return MEMORY
  } catch {
    // This system has no such file system.
  }
  return os.tmpdir()
}

/**
 * Creates a DATA_DIR for a test run. A file in the folder identifies this process, so that later runs can
 * recognize the folders of killed runs.
 */
export function makeTemporaryData(): string {
  const dir = fs.mkdtempSync(path.join(temporaryRoot(), PREFIX))
  fs.chmodSync(dir, 0o755) // if root runs the tests, the database server's account must be able to enter this folder
  fs.writeFileSync(path.join(dir, 'owner.json'), JSON.stringify(thisProcess()))
  return dir
}

/** Removes a DATA_DIR and the folder of its database server, which must be stopped. */
export function removeTemporaryData(dir: string): void {
  fs.rmSync(serverFolder(dir), { recursive: true, force: true, maxRetries: 5 })
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Ends the processes that killed test runs left behind, and removes the data of these runs. For each database
 * server, first ends the processes that use the server.
 */
export function removeLeftovers(): void {
  const roots = [os.tmpdir(), MEMORY].filter((root) => fs.existsSync(root))
  const all = roots.flatMap((root) => fs.readdirSync(root).map((name) => path.join(root, name)))
  for (const dir of all.filter((each) => path.basename(each).startsWith(PREFIX))) {
    try {
      if (isAlive(JSON.parse(fs.readFileSync(path.join(dir, 'owner.json'), 'utf8')))) continue
    } catch {
      continue // the folder is being created
    }
    endProcesses(serverFolder(dir))
    try {
      removeTemporaryData(dir)
    } catch (error) {
      // The folder can be a disk that a killed drill left mounted. Continue anyway, because a remaining
      // folder does no harm except that it uses space.
      console.warn(`${dir}, left by a run that was killed, could not be removed: ${error}`)
    }
  }
}

/**
 * Returns the database server's folder, which can be outside DATA_DIR
 * (lib/base/db/embedded/server-directory.ts).
 */
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
    // The process has already ended together with its test run.
  }
}
