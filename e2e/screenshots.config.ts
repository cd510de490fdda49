import { defineConfig } from '@playwright/test'
import tests from '../playwright.config'

/** The Playwright configuration for `npm run screenshots`, which uses the setup of the browser tests. */
export default defineConfig({
  ...tests,
  testDir: 'pages',
  outputDir: '../test-results/playwright',
  globalSetup: './support/servers.ts',
  testMatch: 'take-*.ts',
  projects: [{ name: 'server' }],
  reporter: [['list']],
  retries: 0,
  timeout: 600_000,
  use: { ...tests.use, actionTimeout: 30_000 },
})
