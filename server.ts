import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The production server, as a container runs it: `node dist/server.js` with DATABASE_URL, SECRET_KEY and
 * BASE_URL in the environment. `npm start` runs the same server after it has prepared everything. It applies
 * migrations first, one process at a time. With MIGRATE=0, it waits for nothing and refuses to start if
 * migrations are missing; run `latchkey migrate` before.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// Before anything is loaded: React and Next choose their build by it.
Object.assign(process.env, { NODE_ENV: 'production' })

const { runProduction } = await import('@/lib/server/run-production')
await runProduction(root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
