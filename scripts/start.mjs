#!/usr/bin/env node
// Entry point of `npm start`, `npm run build`, and other npm scripts that need a build or generated code.
// This file must parse on any Node.js version, so that an old version prints a message instead of a syntax
// error. It imports no packages and no compiled files, because a new clone has none.
import './bootstrap/require-node.mjs'

const { launch } = await import('./bootstrap/launch.mjs')
await launch(process.argv.slice(2))
