/**
 * Locks between processes, as files. Plain JavaScript on Node's own modules, because the launcher takes the build lock
 * before anything is installed or compiled.
 *
 * The lock file names its holder. A holder that died (kill -9, power cut) is recognized by its process id and, where
 * /proc tells it, by the time that process started, so that a recycled process id is not mistaken for the holder.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** @typedef {{ pid: number, started: string, host: string }} Holder a process, named so that its death can be noticed */

/** A lock of another machine on a shared disk is given up after this long. */
const FOREIGN_LOCK_MS = 15 * 60_000
const POLL_MS = 200

/**
 * @param {number} pid
 * @returns {string} when the process started, in the kernel's ticks; `dead` for one that ended but was not reaped yet;
 * '' where /proc is missing
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

/** @param {number} pid @returns {Holder} the process of this machine that has this id now */
export const processOf = (pid) => ({ pid, started: startTime(pid), host: os.hostname() })

/** @returns {Holder} this process */
export const thisProcess = () => processOf(process.pid)

/**
 * @param {Holder} holder
 * @returns {boolean} whether this process still runs; true for a process of another machine, because that is unknown
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

/** @param {string} file @returns {Holder | undefined} undefined if it is free or the file is incomplete */
function readHolder(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} file @returns {number} milliseconds since the file was written, 0 when it is gone */
function age(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs
  } catch {
    return 0
  }
}

/** @param {string} file @returns {boolean} whether the lock's holder is gone for good */
function isStale(file) {
  const holder = readHolder(file)
  if (!holder) return age(file) > 5_000 // a writer that died between creating the file and filling it
  if (holder.host !== os.hostname()) return age(file) > FOREIGN_LOCK_MS
  return !isAlive(holder)
}

/**
 * Removes the lock of a dead holder. Two waiters can see the same stale file; the rename lets one of them win. A waiter that
 * moved a live lock restores it.
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
      // A third process has taken the lock meanwhile; the one moved aside notices nothing worse than a second builder.
    }
  }
  fs.rmSync(aside, { force: true })
}

/**
 * @param {string} file the lock
 * @param {string} mine a file that names this process
 * @returns {boolean} whether the lock was free and is ours now
 */
function create(file, mine) {
  const exists = (/** @type {unknown} */ error) =>
    /** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST'
  try {
    fs.linkSync(mine, file) // a link appears complete or not at all, unlike a file that is created and then written
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
 * @param {string} file path of the lock; its folder is made when missing
 * @param {{ onWait?: (holder: Holder | undefined) => void }} [options] `onWait` runs once, when another process holds it
 * @returns {Promise<() => void>} releases the lock
 * @throws when the folder cannot be written
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
