#!/usr/bin/env node
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadEnvFile } from '@/lib/base/config/env-file.mjs'

/**
 * `latchkey <command>` runs a command for instance admins. In a clone, `npm run latchkey -- <command>` first
 * compiles the commands if needed.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

try {
  loadEnvFile(root)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

// Set NODE_ENV before the imports below, because React and Next.js select their development or production
// code when they are loaded.
Object.assign(process.env, { NODE_ENV: 'production' })

const { main } = await import('@/lib/commands/main')
process.exitCode = await main(process.argv.slice(2), root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
