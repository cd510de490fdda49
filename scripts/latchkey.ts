#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `latchkey <command>` runs a command for instance admins. In a clone, `npm run latchkey -- <command>` first
 * compiles the commands if needed.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// Load ENV_FILE (default: `.env`) if the file exists. As with `npm start`, variables that are already set
// take precedence.
const settings = path.resolve(root, process.env.ENV_FILE ?? '.env')
if (fs.statSync(settings, { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(settings)

// Set NODE_ENV before the imports below, because React and Next.js select their development or production
// code when they are loaded.
Object.assign(process.env, { NODE_ENV: 'production' })

const { main } = await import('@/lib/commands/main')
process.exitCode = await main(process.argv.slice(2), root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
