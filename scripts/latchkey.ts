#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `latchkey <command>` runs a command for instance admins. In a clone, `npm run latchkey -- <command>` compiles the commands
 * first.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// As with `npm start`, variables in the environment take precedence over ENV_FILE.
const settings = path.resolve(root, process.env.ENV_FILE ?? '.env')
if (fs.statSync(settings, { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(settings)

// Set before anything is loaded, because React and Next.js select their build based on it.
Object.assign(process.env, { NODE_ENV: 'production' })

const { main } = await import('@/lib/commands/main')
process.exitCode = await main(process.argv.slice(2), root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
