import type { APIRequestContext, Page } from '@playwright/test'
import { setUpApp } from './support/authenticator-app'
import { startDevice } from './support/device'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

// Performs the console steps of docs/operate/runbook.md, in the same order and with the same labels.

/** Searches for a user on the instance admin pages, and opens the user's page. */
async function openUser(page: Page, email: string, name: string): Promise<void> {
  await page.goto('/admin/people')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

/** Presses a button, then confirms in the dialog. */
async function confirm(page: Page, name: string, sure = name): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: sure }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

const me = async (request: APIRequestContext, token: string) =>
  (await request.get('/oauth/me', { headers: { authorization: `Bearer ${token}` } })).status()

test('a compromised app’s token is rejected as soon as the app is disabled, and works again after the app is enabled', async ({
  page,
  request,
  baseURL,
  signIn,
}) => {
  await signIn('ada')
  const device = await startDevice(baseURL, 'openid')
  await page.goto(device.verification_uri_complete)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page).toHaveURL(/done=authorized/)
  const answer = await request.post('/oauth/token', {
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      client_id: device.clientId,
    },
  })
  const { access_token: token } = await answer.json()
  expect(await me(request, token)).toBe(200)

  await page.goto('/admin/apps')
  await page.getByRole('searchbox', { name: 'Search apps' }).fill(device.clientId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=/)
  await page.getByRole('row').filter({ hasText: device.clientId }).getByRole('link').first().click()
  await confirm(page, 'Disable app…', 'Disable app')
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  expect(await me(request, token)).toBe(401)
  await page.getByRole('button', { name: 'Enable app' }).click()
  await expect(page.getByText('Disabled', { exact: true })).toBeHidden()
  expect(await me(request, token)).toBe(200)
})

test('the owner of a compromised account regains access to it', async ({
  page,
  browser,
  baseURL,
  signIn,
}) => {
  const theirs = await (await browser.newContext({ baseURL })).newPage()
  const name = 'Trudy Taken'
  const { email, password } = await signUp(theirs, name)
  await setUpApp(theirs, password)

  await signIn('ada')
  await openUser(page, email, name)
  await confirm(page, 'Suspend')
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
  await theirs.goto('/account/security')
  await expect(theirs).toHaveURL(/\/login/)

  await confirm(page, 'Reset two-factor')
  await expect(page.getByRole('button', { name: 'Reset two-factor' })).toBeHidden()
  await page.getByRole('button', { name: 'Create reset link' }).click()
  const link = await page.getByRole('textbox', { name: 'Reset link' }).inputValue()
  await page.getByRole('button', { name: 'Unsuspend' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeHidden()
  const renewed = 'a password the thief has not'
  await theirs.goto(link)
  await theirs.getByLabel('New password').fill(renewed)
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await expect(theirs.getByRole('heading', { name: 'Your password is set' })).toBeVisible()

  await theirs.goto('/login')
  await theirs.getByRole('textbox', { name: 'Email' }).fill(email)
  await theirs.getByLabel('Password', { exact: true }).fill(renewed)
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(theirs).toHaveURL(/\/workspaces\//)
  await setUpApp(theirs, renewed)
  await theirs.context().close()
})

test('a compromised instance admin loses access, and another instance admin can open their activity', async ({
  page,
  browser,
  baseURL,
  signIn,
}) => {
  const theirs = await (await browser.newContext({ baseURL })).newPage()
  const name = 'Oscar Admin'
  const { email } = await signUp(theirs, name)
  await signIn('ada')
  await openUser(page, email, name)
  await confirm(page, 'Make instance admin')
  await theirs.goto('/admin')
  await expect(theirs.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible()

  await confirm(page, 'Suspend')
  await confirm(page, 'Remove as instance admin')
  await page.getByRole('button', { name: 'Unsuspend' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeHidden()
  await theirs.goto('/admin')
  await expect(theirs).toHaveURL(/\/login/)

  await page.getByRole('link', { name: 'View activity' }).click()
  await expect(page).toHaveURL(/\/admin\/audit\?/)
  await expect(page.getByRole('searchbox')).toBeVisible()
  await theirs.context().close()
})
