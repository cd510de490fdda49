import fs from 'node:fs'
import path from 'node:path'
import { step } from './progress.mjs'
import { run } from './run.mjs'

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean }} LockedPackage */

/**
 * Returns the packages in a lock file by folder, or undefined if the file cannot be read.
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Returns npm's record of installed packages, which includes manually installed ones, or undefined if there
 * is no record.
 * @param {string} root
 */
const present = (root) => packagesOf(path.join(root, 'node_modules', '.package-lock.json'))

/**
 * Returns whether every package is installed in the version in package-lock.json. Optional packages can be
 * missing.
 * @param {string} root
 * @param {{ tools: boolean }} options whether the development dependencies must be installed too
 * @returns {boolean}
 */
export function isInstalled(root, { tools }) {
  const wanted = packagesOf(path.join(root, 'package-lock.json'))
  const installed = present(root)
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([folder, { version, optional, dev }]) => {
    if (folder === '' || (dev && !tools)) return true
    const found = installed[folder]
    return found ? found.version === version : optional === true
  })
}

/** Returns whether any development dependencies are installed. @param {string} root */
const hasTools = (root) => Object.values(present(root) ?? {}).some(({ dev }) => dev)

/**
 * Installs the locked packages unless `isInstalled` returns true. Starting the server does not require
 * development dependencies, but an update keeps them if they are installed. See ADR 0004.
 * @param {string} root
 * @param {{ tools: boolean }} options whether the caller needs the development dependencies
 * @throws {import('./refusal.mjs').Refusal} with npm's own message if npm fails
 */
export async function install(root, { tools }) {
  if (isInstalled(root, { tools })) return
  const dev = tools || hasTools(root) ? '--include=dev' : '--omit=dev'
  const label = tools ? 'Installing packages and development tools' : 'Installing packages'
  await step(label, () =>
    // The `--include` and `--omit` options override NODE_ENV and the user's npm configuration.
    run(label, npm(), ['ci', dev, '--include=optional', '--no-progress'], { cwd: root }),
  )
}

/**
 * Returns the path of npm's script from npm_execpath, which npm sets, or the command `npm` if the variable
 * does not contain this path.
 */
const npm = () => {
  const self = process.env.npm_execpath
  return self && /npm-cli\.[cm]?js$/.test(self) ? self : 'npm'
}
