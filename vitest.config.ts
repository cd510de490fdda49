import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
// Node resolves the package graphql to this file. Without the alias, Vite would load a second copy of
// graphql, which does not accept objects from the first copy.
const alias = { '@': root.replace(/[\\/]$/, ''), graphql: `${root}node_modules/graphql/index.js` }

/**
 * Test files that need a separate process. All other files share one process per worker, so that the product
 * is loaded once per worker and not once per file. `lib/testing/fresh-process.ts` resets the process between
 * files.
 */
export const alone = [
  // These files mock modules.
  'app/workspaces/rights-of-pages.db.test.ts',
  'lib/edges/mcp/one-operation.db.test.ts',
  'lib/edges/oauth/try-sign-in/try-sign-in.db.test.ts',
  'lib/features/instance-admin/create-admin.db.test.ts',
  'lib/features/move-users/import-users.db.test.ts',
  // These files enable telemetry, which a process cannot disable again.
  'lib/base/telemetry/telemetry.test.ts',
  'lib/server/metrics.db.test.ts',
  'lib/server/traces.db.test.ts',
  // This file prepares every SQL statement that the process has defined. If another file had refreshed a
  // token, one of these statements would write to a weekly table of used tokens, which does not exist in this
  // file's database.
  'lib/base/db/every-statement.db.test.ts',
  // These files add a handler for the requests to every server in their process, which a process cannot
  // remove again.
  'lib/server/prepare-next-start.test.ts',
  'lib/server/this-machine.test.ts',
]

/**
 * Time limits and retries for a busy machine with two cores. Each project sets these options, because
 * projects do not inherit them from the root configuration.
 */
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  // By default, Vitest sets BASE_URL to "/" before each file. Remaining work of the previous file would then
  // reject it.
  env: { BASE_URL: 'http://localhost' },
  // With CI, repeat a failed test once, because a test can be too slow on a busy machine. As in the browser
  // tests, the report lists the tests that needed the second attempt.
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

/**
 * Returns the configuration of a Vitest project.
 * @param order the project's position: projects with a lower order run first. A worker is reused only within
 * a project
 * @param isolate whether each file has its own process. If true, the project contains only the files in
 * `alone`
 */
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
    // There are more workers than processors, because integration tests often wait for the database.
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
