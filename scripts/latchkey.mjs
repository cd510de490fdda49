#!/usr/bin/env node
// `npm run latchkey -- <command>`: compiles this clone's commands if needed, and runs the given command. Like
// start.mjs, this file must parse on any Node.js version.
import './bootstrap/require-node.mjs'

const { launch } = await import('./bootstrap/launch.mjs')

// Print build steps to standard error, because standard output must contain only the command's result, such
// as an export.
const write = process.stdout.write
process.stdout.write = /** @type {typeof write} */ (process.stderr.write.bind(process.stderr))
try {
  await launch(['--commands'])
} finally {
  process.stdout.write = write
}
await import('../dist/latchkey.js')
