import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
// Node resolves graphql to this file, Vite to another copy, whose classes the first does not recognise.
const alias = { '@': root.replace(/[\\/]$/, ''), graphql: `${root}node_modules/graphql/index.js` }

/** Wall-clock limits of a loaded two-core machine, not of the code under test; projects do not inherit them. */
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  // As for the browser's tests: what a starved machine needs a second try for is told at the end.
  retry: process.env.CI ? 1 : 0,
}

export default defineConfig({
  resolve: { alias },
  test: {
    // Integration tests wait for the database much of the time; one worker less than cores would leave one idle.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'unit',
          include: ['{app,bench,components,e2e,lib,prisma,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts', '**/generated/**', '**/node_modules/**'],
          setupFiles: ['lib/testing/unit.setup.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'integration',
          include: ['{app,lib,prisma,scripts}/**/*.db.test.ts'],
          pool: 'forks',
          globalSetup: ['lib/testing/template-database.ts'],
          setupFiles: ['lib/testing/integration.setup.ts'],
        },
      },
    ],
  },
})
