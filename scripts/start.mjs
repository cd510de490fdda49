#!/usr/bin/env node
// `npm start`, `npm run dev` and `npm run build`. This file must parse on any Node, so that an old one gets a sentence
// instead of a syntax error, and may use only what a fresh clone has: no package and no compiled file.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Latchkey needs Node 20.19 or newer, this is ${process.versions.node}; install a current one from https://nodejs.org and try again.`,
  )
  process.exit(1)
}

const { launch } = await import('./bootstrap/launch.mjs')
await launch(process.argv.slice(2))
