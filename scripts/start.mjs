#!/usr/bin/env node
// `npm start`, `npm run dev` and `npm run build`. This file must parse on any Node, so that an old one gets a sentence
// instead of a syntax error, and may use only what a fresh clone has: no package and no compiled file.
import './bootstrap/require-node.mjs'

const { launch } = await import('./bootstrap/launch.mjs')
await launch(process.argv.slice(2))
