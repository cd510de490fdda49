import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/playwright',
  globalSetup: './e2e/support/servers.ts',
  // The limit includes the build and two starts of the product on a small machine.
  globalTimeout: 40 * 60_000,
  timeout: 150_000,
  expect: { timeout: 15_000 },
  // Tests spend half of their time waiting, so three workers keep two cores busy.
  workers: 3,
  // On a busy machine, a browser can be too slow, so CI retries a failed test. If the retry passes, the
  // report lists the test as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }], ['./e2e/support/click-report.ts']],
  use: {
    // Recording a trace takes a fifth of a test's time. `npm test` sets `CI`, so Playwright records a trace
    // only when it retries a failed test.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    locale: 'en-GB',
    // Without animations, the browser draws fewer frames, and clicks do not wait for a movement to end. This
    // saves a quarter of the browser's CPU time.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        // Makes lookups of names below the reserved domains .test and .example fail immediately. On a machine
        // without a name server, these lookups would otherwise fail only after a long delay.
        '--host-resolver-rules=MAP *.test ~NOTFOUND, MAP *.example ~NOTFOUND',
      ],
    },
  },
  projects: [
    { name: 'server' },
    // This project tests `next start`, which mounts the same request handlers as the product's own server. It
    // runs only the tests with the tag @mounts: all tests of behavior that depends on the mount, and smoke
    // tests of the code flow with the API, the device flow, and MCP.
    { name: 'routes', grep: /@mounts/ },
  ],
})
