/**
 * File locks between processes. This module is plain JavaScript and uses only Node's own modules, because the
 * launcher takes the build lock before anything is installed or compiled.
 *
 * The lock file names its holder. The lock is stale if the holder's process no longer exists (kill -9, power
 * cut). If /proc exists, the process's start time is compared too, so that another process with the same ID
 * is not mistaken for the holder. A lock that a process on another machine holds is stale after 15 minutes.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * @typedef {{ pid: number, started: string, host: string }} Holder a process, identified so that its end can
 * be detected
 */

/**
 * The age at which a lock expires if a process on another machine holds the lock on a shared disk, in
 * milliseconds.
 */
const FOREIGN_LOCK_MS = 15 * 60_000
const POLL_MS = 200

/**
 * @param {number} pid
 * @returns {string} the time at which the process started, in kernel ticks; `dead` if the process has ended
 * but was not reaped yet; '' if the time cannot be read, for example because /proc is missing
 */
function startTime(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'dead' : (fields[19] ?? '')
  } catch {
    return ''
  }
}

/** @param {number} pid @returns {Holder} the process that currently has this ID on this machine */
export const processOf = (pid) => ({ pid, started: startTime(pid), host: os.hostname() })

/** @returns {Holder} this process */
export const thisProcess = () => processOf(process.pid)

/**
 * @param {Holder} holder
 * @returns {boolean} whether the holder is still running; always true for a process on another machine,
 * because its state is unknown
 */
export function isAlive(holder) {
  if (holder.host !== os.hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false
  }
  return holder.started === '' || startTime(holder.pid) === holder.started
}

/**
 * @param {string} file @returns {Holder | undefined} undefined if the lock is free or the file is incomplete
 */
function readHolder(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * @param {string} file @returns {number} milliseconds since the file was written; 0 if it no longer exists
 */
function age(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs
  } catch {
    return 0
  }
}

/**
 * @param {string} file @returns {boolean} whether the lock's holder no longer exists, or the lock has expired
 */
function isStale(file) {
  const holder = readHolder(file)
  if (!holder) return age(file) > 5_000 // the process died after it created the file and before it wrote to it
  if (holder.host !== os.hostname()) return age(file) > FOREIGN_LOCK_MS
  return !isAlive(holder)
}

/**
 * Removes a stale lock. The lock file is renamed first, so that only one of several waiting processes removes
 * it. If the renamed lock turns out to be held by a running process, it is restored.
 * @param {string} file
 */
function breakStale(file) {
  const aside = `${file}.${process.pid}.stale`
  try {
    fs.renameSync(file, aside)
  } catch {
    return
  }
  if (!isStale(aside)) {
    try {
      fs.linkSync(aside, file)
    } catch {
      // A third process has taken the lock in the meantime, so the renamed lock cannot be restored. In this
      // rare case, two processes hold the lock.
    }
  }
  fs.rmSync(aside, { force: true })
}

/**
 * @param {string} file the lock
 * @param {string} mine a file that identifies this process
 * @returns {boolean} whether the lock was free and now belongs to this process
 */
function create(file, mine) {
  const exists = (/** @type {unknown} */ error) =>
    /** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST'
  try {
    fs.linkSync(mine, file) // a link is atomic, unlike creating a file and then writing it
    return true
  } catch (error) {
    if (exists(error)) return false
  }
  try {
    fs.copyFileSync(mine, file, fs.constants.COPYFILE_EXCL) // a file system without hard links
    return true
  } catch (error) {
    if (exists(error)) return false
    throw error
  }
}

/**
 * Waits for the lock and holds it until the returned function is called.
 * @param {string} file path of the lock; its folder is created if missing
 * @param {{ onWait?: (holder: Holder | undefined) => void }} [options] `onWait` is called once if another
 * process holds the lock
 * @returns {Promise<() => void>} a function that releases the lock
 * @throws if the folder is not writable
 */
export async function takeLock(file, options = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const mine = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  fs.writeFileSync(mine, JSON.stringify(thisProcess()))
  try {
    for (let isReported = false; ; ) {
      if (create(file, mine)) break
      if (isStale(file)) {
        breakStale(file)
        continue
      }
      if (!isReported) options.onWait?.(readHolder(file))
      isReported = true
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    fs.rmSync(mine, { force: true })
  }
  return () => fs.rmSync(file, { force: true })
}
