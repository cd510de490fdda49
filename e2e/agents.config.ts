import { defineConfig } from '@playwright/test'
import tests from '../playwright.config'

/** `npm run test:agents` tests the product with unmodified MCP clients that users run. */
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
