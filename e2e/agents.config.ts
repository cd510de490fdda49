import { defineConfig } from '@playwright/test'
import tests from '../playwright.config'

/**
 * The configuration for `npm run test:agents`, which runs unmodified MCP clients and the MCP conformance
 * suite.
 */
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
