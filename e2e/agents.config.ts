import { defineConfig } from '@playwright/test'
import tests from '../playwright.config'

/** `npm run test:agents`: programs that users use, unmodified, against the product. */
export default defineConfig({
  ...tests,
  testDir: 'agents',
  outputDir: '../test-results/playwright',
  globalSetup: './support/servers.ts',
  testMatch: ['real-clients.ts', 'conformance.ts'],
  projects: [{ name: 'server' }],
  reporter: [['list']],
  workers: 1,
  retries: 0,
})
