import fs from 'node:fs'
import path from 'node:path'
import { step } from './progress.mjs'
import { run } from './run.mjs'

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage */

/** @param {string} file @returns {Record<string, LockedPackage> | undefined} packages by folder; undefined without the file */
function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Compares what is installed with package-lock.json. npm itself writes down what it installed, so an installation made by
 * hand counts as well as one of ours.
 * @param {string} root
 * @returns {boolean} true when every package is there in its version; those for other platforms may be missing
 */
export function isInstalled(root) {
  const wanted = packagesOf(path.join(root, 'package-lock.json'))
  const present = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([folder, { version, optional }]) => {
    if (folder === '') return true
    const installed = present[folder]
    return installed ? installed.version === version : optional === true
  })
}

/**
 * Installs the packages unless they are there.
 * @param {string} root
 * @throws {import('./refusal.mjs').Refusal} with npm's own words when it fails
 */
export async function install(root) {
  if (isInstalled(root)) return
  await step('Installing packages', () =>
    // npm names its own script to the programs it starts; a build needs the types too, whatever NODE_ENV says.
    run('Installing packages', npm(), ['ci', '--include=dev', '--include=optional', '--no-progress'], {
      cwd: root,
    }),
  )
}

const npm = () => {
  const self = process.env.npm_execpath
  return self && /npm-cli\.[cm]?js$/.test(self) ? self : 'npm'
}
