import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Records a hash of the files with which a step last ran, and skips the step until they change. Modification
 * times are not used, because a checkout changes them. With hashes, switching branches back and forth does
 * not cause a new build.
 */

/** Matches files that a fingerprint ignores: tests, their helpers, and generated code. */
const NOT_BUILT = /\.test\.tsx?$|[\\/]lib[\\/]testing[\\/]|[\\/]lib[\\/]generated[\\/]/

/**
 * Returns the files at or below a path, sorted. @param {string} file @returns {string[]} empty if the path
 * does not exist
 */
function filesBelow(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [file]
  return fs
    .readdirSync(file)
    .sort()
    .flatMap((name) => filesBelow(path.join(file, name)))
}

/**
 * Returns a hash of the paths and contents of files, except the files that `NOT_BUILT` matches.
 * @param {string} root the clone
 * @param {string[]} paths files and folders in the clone. Missing ones are ignored
 * @returns {string}
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((each) => filesBelow(path.join(root, each)))) {
    if (NOT_BUILT.test(file)) continue
    const content = createHash('sha256').update(fs.readFileSync(file)).digest('hex')
    hash.update(`${path.relative(root, file)}\0${content}\n`)
  }
  return hash.digest('hex')
}

/** @param {string} root @param {string} step */
const stampFile = (root, step) => path.join(root, 'dist', 'stamps', step)

/**
 * Runs a step if its sources or its `extra` input changed since it last succeeded, or if a result is missing.
 * @param {string} root
 * @param {string} step
 * @param {{ sources: string[], results: string[], extra?: string }} what the files and folders that the step
 *   reads and writes, and any other input
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether the step ran
 */
export async function whenChanged(root, step, { sources, results, extra = '' }, work) {
  const stamp = stampFile(root, step)
  const current = `${fingerprint(root, sources)} ${extra}`.trim()
  const done = fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === current
  if (done && results.every((result) => fs.existsSync(path.join(root, result)))) return false
  fs.rmSync(stamp, { force: true })
  await work()
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, current)
  return true
}
