import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Remembers for which content a step was last done. Times of files say nothing: a checkout changes them, and a branch
 * switched back and forth needs no new build.
 */

/** Tests and what only they use are no part of a build. */
const NOT_BUILT = /\.test\.tsx?$|[\\/]lib[\\/]testing[\\/]|[\\/]lib[\\/]generated[\\/]/

/** @param {string} file @returns {string[]} the files at or below a path, in a stable order; none when it is missing */
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
 * @param {string} root the clone
 * @param {string[]} paths files and folders in it, missing ones included
 * @returns {string} changes when a name or a content below them does
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
 * Does a step when its sources changed since it last succeeded, or its result is gone.
 * @param {string} root
 * @param {string} step
 * @param {{ sources: string[], results: string[], extra?: string }} what `extra` is whatever else the result depends on
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether there was anything to do
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
