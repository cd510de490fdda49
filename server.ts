import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The production server, as a container runs it: `node dist/server.js` with DATABASE_URL, SECRET_KEY and BASE_URL in the
 * environment. `npm start` runs the same server after it has prepared everything. The server first applies migrations.
 * Processes that start at the same time apply them one after another. With MIGRATE=0, the server does not apply migrations
 * and fails if any are missing, so run `latchkey migrate` first.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// Set before anything is loaded, because React and Next choose their build based on it.
Object.assign(process.env, { NODE_ENV: 'production' })

const { runProduction } = await import('@/lib/server/run-production')
await runProduction(root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
