import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
// Node resolves graphql to this file, Vite to another copy with classes that the first does not recognize.
const alias = { '@': root.replace(/[\\/]$/, ''), graphql: `${root}node_modules/graphql/index.js` }

/**
 * Test files that need a process of their own. All others share one per worker, so that the product is loaded once there and
 * not once per file; `lib/testing/fresh-process.ts` resets it between files.
 */
export const alone = [
  // They replace modules.
  'app/workspaces/rights-of-pages.db.test.ts',
  'lib/edges/mcp/one-operation.db.test.ts',
  'lib/edges/oauth/try-sign-in/try-sign-in.db.test.ts',
  'lib/features/instance-admin/create-admin.db.test.ts',
  'lib/features/transfer/import-users.db.test.ts',
  // They enable telemetry, which a process cannot disable again.
  'lib/base/telemetry/telemetry.test.ts',
  'lib/server/metrics.db.test.ts',
  'lib/server/traces.db.test.ts',
  // It checks every statement of the process; a flow in another file adds one for the table of its week.
  'lib/base/db/every-statement.db.test.ts',
  // They listen to every server of the process.
  'lib/server/prepare-next-start.test.ts',
  'lib/server/this-machine.test.ts',
]

/** Wall-clock limits of a loaded two-core machine, not of the code under test; projects do not inherit them. */
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  // As in the browser tests: tests that need a retry on a slow machine are listed at the end.
  retry: process.env.CI ? 1 : 0,
}

const unit = {
  include: ['{app,bench,components,e2e,lib,prisma,scripts}/**/*.test.{ts,tsx}'],
  exclude: ['**/*.db.test.ts', '**/generated/**', '**/node_modules/**'],
  setupFiles: ['lib/testing/unit.setup.ts'],
}

const integration = {
  include: ['{app,lib,prisma,scripts}/**/*.db.test.ts'],
  exclude: ['**/node_modules/**'],
  setupFiles: ['lib/testing/integration.setup.ts'],
}

/** @param order when its files run; a worker is kept for the next file only if that is of the same project */
const project = (name: string, order: number, files: typeof unit, isolate: boolean) => ({
  resolve: { alias },
  test: {
    ...patience,
    ...files,
    ...(isolate
      ? { include: alone.filter((file) => file.includes('.db.test.') === (files === integration)) }
      : { exclude: [...files.exclude, ...alone] }),
    name,
    isolate,
    pool: 'forks' as const,
    sequence: { groupOrder: order },
  },
})

export default defineConfig({
  resolve: { alias },
  test: {
    // More than there are processors: integration tests wait for the database much of the time.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['lib/testing/template-database.ts'],
    projects: [
      project('unit', 0, unit, false),
      project('unit-alone', 1, unit, true),
      project('integration', 2, integration, false),
      project('integration-alone', 3, integration, true),
    ],
  },
})
