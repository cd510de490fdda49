#!/usr/bin/env node
// `npm run latchkey -- <command>`, `npm run operator -- <command>`, `npm run keys:rotate`: compiles the commands of this
// clone unless that is done, and runs one. Like start.mjs it must parse on any Node.
import './bootstrap/require-node.mjs'

const { launch } = await import('./bootstrap/launch.mjs')
await launch(['--commands'])
await import('../dist/latchkey.js')
