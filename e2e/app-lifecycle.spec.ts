import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createApp } from './clients/oauth-app'
import { findBarriers } from './support/accessibility'
import { backToApp } from './support/back-to-app'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

const redirectUri = 'https://board.example.test/callback'

const authorizationOf = (clientId: string, scope: string) =>
  `/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  })}`

async function makeApp(page: Page, type: 'Web' | 'Native' = 'Web') {
  const { home } = await signUp(page, 'Vera Vendor')
  const workspace = home.split('/').at(-1)
  const app = await createApp(page, { name: 'Build Board', type, redirectUris: [redirectUri], workspace })
  return { ...app, home, address: `${home}/settings/developer/${app.clientId}` }
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('App saved')).toBeVisible()
}

/** Authorizes the app. @returns the parameters that the app receives */
const authorize = async (page: Page) => (await backToApp(page, redirectUri, 'Authorize')).searchParams

test('an app gets only its allowed scopes, and the consent page marks added scopes as new', async ({
  page,
  screenshots,
}) => {
  const { clientId, address } = await makeApp(page)
  await page.goto(address)
  const beside = page.getByRole('group', { name: 'In addition to sign-in' })
  await expect(beside).toBeHidden()
  await page.getByRole('radio', { name: 'Selected scopes' }).check()
  await beside.getByRole('checkbox', { name: 'See users’ names and pictures' }).check()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-scopes')
  await save(page)
  await page.reload()
  await expect(beside.getByRole('checkbox', { checked: true })).toHaveCount(1)

  const request = authorizationOf(clientId, 'openid profile email workspace:admin')
  await page.goto(request)
  await expect(page.getByText('See your name and picture')).toBeVisible()
  await expect(page.getByText('See your email address')).toHaveCount(0)
  await expect(page.getByText(/Fully control/)).toHaveCount(0)
  expect((await authorize(page)).get('code')).toBeTruthy()

  await page.goto(address)
  await beside.getByRole('checkbox', { name: 'See users’ email addresses' }).check()
  await save(page)
  await page.goto(request)
  const asked = page.getByRole('listitem').filter({ hasText: 'See your email address' })
  await expect(asked).toContainText('New')
  await expect(page.getByRole('listitem').filter({ hasText: 'See your name and picture' })).not.toContainText(
    'New',
  )
  await screenshots('consent-new-scope')
  await authorize(page)
})

test('an admin tests an app’s sign-in, and no token reaches the browser', async ({ page, screenshots }) => {
  const { address } = await makeApp(page)
  const answers: string[] = []
  page.on('response', async (response) => answers.push(await response.text().catch(() => '')))
  await page.goto(`${address}/overview`)
  await page.getByRole('button', { name: 'Try sign-in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Build Board/ })).toBeVisible()
  // The admin started the sign-in in this browser, so there is no code to compare.
  await expect(page.getByText('Does your device show this code?')).toHaveCount(0)
  await screenshots('try-sign-in-asked')
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page).toHaveURL(`${address}/overview?tried=1`)
  const section = page.getByRole('region', { name: 'Test sign-in' })
  await expect(section).toContainText('Sign-in works')
  await expect(section).toContainText('"iss"')
  const steps = section.getByRole('list', { name: 'Requests and responses' })
  await section.getByText('Requests and responses').first().click()
  await expect(steps.getByRole('listitem').nth(1)).toContainText('access_token')
  expect(await findBarriers(page)).toEqual([])
  await screenshots('try-sign-in-done')
  const said = answers.join('\n') + (await page.content())
  expect(said).not.toMatch(/lk_(?:at|rt|cs)_[0-9A-Za-z]{12}/)
  expect(said).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/)
  // The result is shown only once.
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Series' })).toBeVisible()
  await expect(section).toHaveCount(0)
  await page.goto('/account/apps')
  await expect(page.getByText('Build Board')).toHaveCount(0)
})

test('an app has its own webhooks with a delivery log', async ({ page, screenshots }) => {
  const { home, address } = await makeApp(page, 'Native')
  await page.goto(address)
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByRole('link', { name: 'New webhook' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill('https://board.example.com/hook')
  await page.getByRole('checkbox', { name: 'All events of your app' }).check()
  await expect(page.getByRole('checkbox', { name: 'All project events' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('link', { name: 'Build Board' })).toBeVisible()
  const log = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Send test event' }).click()
  await expect(log).toHaveCount(1)
  await page.getByRole('link', { name: 'Refresh' }).click()
  await expect(log).toHaveCount(1)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-webhook')
  await page.goto(address)
  await expect(section.getByRole('link', { name: 'https://board.example.com/hook' })).toBeVisible()
  await screenshots('app-settings')
  await page.goto(`${home}/settings/webhooks`)
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})
