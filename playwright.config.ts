import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/playwright',
  globalSetup: './e2e/support/servers.ts',
  // Building and starting the product twice on a small machine is part of it.
  globalTimeout: 40 * 60_000,
  timeout: 150_000,
  expect: { timeout: 15_000 },
  workers: 2,
  // A browser on a starved machine may miss its moment; what needs a second try is told as flaky at the end.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    trace: 'retain-on-failure',
    locale: 'en-GB',
    launchOptions: {
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        // Names that lead nowhere (RFC 2606): without a name server it would take long to be told so.
        '--host-resolver-rules=MAP *.test ~NOTFOUND, MAP *.example ~NOTFOUND',
      ],
    },
  },
  projects: [
    { name: 'server' },
    // `next start` mounts the same handlers: smoke tests of the code flow with the API, the device flow, and MCP, and what depends
    // on the way of mounting.
    { name: 'routes', grep: /@mounts/ },
  ],
})
