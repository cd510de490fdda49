import type { ChildProcess } from 'node:child_process'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { testPort } from '@/lib/testing/free-port'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { setUpAppHere } from './support/authenticator-app'
import { startReplica } from './support/replicas'
import { expect, test } from './support/test'

/** An installation whose operator lets in people of one domain, and demands a second factor of everybody. */
let dataDir: string
let database: EmbeddedDatabase
let server: ChildProcess
let url: string
test.beforeAll(async () => {
  dataDir = makeTemporaryData()
  database = await openEmbeddedDatabase(dataDir, { database: 'doors', fast: true })
  const port = await testPort()
  url = `http://localhost:${port}`
  server = await startReplica(port, url, database.url, {
    SEED_DEMO: '1',
    SECOND_FACTOR: 'everybody',
    SIGN_UP: 'domains',
    SIGN_UP_DOMAINS: 'example.com',
  })
})
test.afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
  await database.release()
  removeTemporaryData(dataDir)
})

test('who belongs there proves the address, sets up a second factor, and arrives where they were going', async ({
  page,
  screenshots,
}) => {
  await page.goto(`${url}/account/tokens`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByText('For people with an email at example.com')).toBeVisible()
  await screenshots('door/signup-domains')
  const ask = async (email: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
  }
  await ask('mallory@example.com.evil.test')
  await expect(page.getByRole('alert')).toContainText('certain email domains')
  await ask('new.person@example.com')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await screenshots('door/signup-sent')
  const link = page.getByRole('link', { name: '/signup?token=' }).first()
  await expect(async () => {
    await page.goto(`${url}/dev/mailbox?to=new.person@example.com`)
    await expect(link).toBeVisible({ timeout: 500 })
  }).toPass()
  await link.click()
  await expect(page.getByText('For new.person@example.com')).toBeVisible()
  await screenshots('door/signup-link')
  await page.getByRole('textbox', { name: 'Name' }).fill('New Person')
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()

  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await screenshots('door/second-factor')
  for (const closed of ['/account/tokens', '/workspaces', '/login?next=/account/apps']) {
    await page.goto(url + closed)
    await expect(page).toHaveURL(/\/second-factor\?next=/)
  }
  await page.goto(`${url}/account/tokens`)
  await setUpAppHere(page, 'correct horse battery')
  await expect(page.getByRole('heading', { name: 'Your second factor is set up' })).toBeVisible()
  await screenshots('door/second-factor-done')
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/account\/tokens$/)
})
