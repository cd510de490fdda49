import { defineConfig } from '@playwright/test'
import tests from './playwright.config'

/** `npm run screenshots`: the browser tests' set-up, for pictures instead of proofs. */
export default defineConfig({
  ...tests,
  testDir: 'e2e/pages',
  testMatch: 'take-*.ts',
  projects: [{ name: 'server' }],
  reporter: [['list']],
  retries: 0,
  timeout: 600_000,
  use: { ...tests.use, actionTimeout: 30_000 },
})
