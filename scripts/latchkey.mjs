#!/usr/bin/env node
// `npm run latchkey -- <command>`: compiles the commands of this clone if needed, and runs one. Like start.mjs, this file
// must parse on any Node.js version.
import './bootstrap/require-node.mjs'

const { launch } = await import('./bootstrap/launch.mjs')

// Standard output contains only the command's result, such as an export. Build steps are printed to standard error.
const write = process.stdout.write
process.stdout.write = /** @type {typeof write} */ (process.stderr.write.bind(process.stderr))
try {
  await launch(['--commands'])
} finally {
  process.stdout.write = write
}
await import('../dist/latchkey.js')
