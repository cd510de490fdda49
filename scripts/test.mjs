#!/usr/bin/env node
// `npm test` runs all stages. `npm test -- unit e2e` runs only the named stages. The stages are lint, types,
// drift, unit, integration, and e2e. Like start.mjs, this file must parse on any Node.js version and run in a
// new clone.
import './bootstrap/require-node.mjs'

const { spawnSync } = await import('node:child_process')
const { fileURLToPath } = await import('node:url')
const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string[]} args @returns {number} the exit code */
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1

// Install missing packages, including development dependencies, and generate the database client. If this
// fails, report one failure and exit, because no stage can run.
if (node('scripts/start.mjs', '--generate', '--tools') !== 0) {
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}
process.exit(node('--import', 'tsx', 'scripts/test/main.ts', ...process.argv.slice(2)))
