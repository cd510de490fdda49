#!/usr/bin/env node
// `npm test`: everything. `npm test -- unit e2e`: some stages of lint, types, drift, unit, integration, e2e.
// Like start.mjs this must parse on any Node and needs nothing but a fresh clone.
import './bootstrap/require-node.mjs'

const { spawnSync } = await import('node:child_process')
const { fileURLToPath } = await import('node:url')
const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string[]} args @returns {number} the exit code */
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1

// Installs what is missing, the development dependencies included, and generates the database client.
if (node('scripts/start.mjs', '--generate', '--tools') !== 0) {
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}
process.exit(node('--import', 'tsx', 'scripts/test/main.ts', ...process.argv.slice(2)))
