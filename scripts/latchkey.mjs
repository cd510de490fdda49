#!/usr/bin/env node
// `npm run latchkey -- <command>`, `npm run operator -- <command>`, `npm run keys:rotate`: compiles the commands of this
// clone unless that is done, and runs one. Like start.mjs it must parse on any Node.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Latchkey needs Node 20.19 or newer, this is ${process.versions.node}; install a current one from https://nodejs.org and try again.`,
  )
  process.exit(1)
}

const { launch } = await import('./bootstrap/launch.mjs')
await launch(['--commands'])
await import('../dist/latchkey.js')
