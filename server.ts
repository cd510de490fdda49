import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The production server, as a container runs it: `node dist/server.js` with DATABASE_URL, SECRET_KEY and
 * BASE_URL in the environment. `npm start` runs the same server after it has prepared everything. This
 * program first applies migrations. If several processes start at the same time, one process applies the
 * migrations while the others wait. With MIGRATE=0, this program does not apply migrations and fails if any
 * are missing, so run `latchkey migrate` first.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// Set NODE_ENV before the imports below, because React and Next.js select their development or production
// code when they are loaded.
Object.assign(process.env, { NODE_ENV: 'production' })

const { runProduction } = await import('@/lib/server/run-production')
await runProduction(root, {
  server: () => import('@/app/start-server'),
  demo: () => import('@/prisma/seed'),
})
