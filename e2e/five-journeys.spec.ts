import { randomBytes } from 'node:crypto'
import { createApp } from './clients/oauth-app'
import { backToApp } from './support/back-to-app'
import { countClicks } from './support/clicks'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Tests the five most common tasks and the number of clicks that each one takes. Records a trace of every step. */
test.use({ trace: 'on' })

const redirect = 'http://127.0.0.1:7777/callback'

/** Returns the path of a native app's authorization request. */
const authorizeAddress = (clientId: string, scope: string, redirectUri = redirect) =>
  `/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`

test('a new user sent by an agent creates an account and a project and authorizes the agent in four clicks', async ({
  page,
  request,
  problems,
}) => {
  // No server listens at the agent's redirect URI.
  problems.expect('ERR_CONNECTION_REFUSED')
  const registered = await request.post('/oauth/register', {
    data: { client_name: 'Tidy Agent', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  })
  const { client_id: clientId } = await registered.json()
  await page.goto(authorizeAddress(clientId, 'openid project:member'))
  const clicks = await countClicks(page)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Frances Allen')
  await page
    .getByRole('textbox', { name: 'Email' })
    .fill(`frances.${randomBytes(4).toString('hex')}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: /Tidy Agent/, level: 1 })).toBeVisible()
  await page.getByRole('textbox', { name: 'Project name' }).fill('First project')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('checkbox', { name: 'First project' })).toBeChecked()
  expect((await backToApp(page, redirect, 'Authorize')).searchParams.get('code')).toBeTruthy()
  expect(clicks()).toBe(4)
})

test('an admin creates an app in three clicks from the workspace page', async ({ page }) => {
  const { home } = await signUp(page, 'Mary Jackson')
  await page.goto(home)
  const clicks = await countClicks(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Developer' }).click()
  await page.getByRole('button', { name: 'New OAuth App' }).first().click()
  await page.getByRole('textbox', { name: 'App name' }).fill('Wind Tunnel')
  await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://tunnel.example/callback')
  await page.getByRole('button', { name: 'Create app' }).click()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue(/^lk_cs_/)
  expect(clicks()).toBe(3)
})

test('an instance admin verifies an app in three clicks', async ({ page, signIn }) => {
  await signIn('ada')
  const name = `Reviewed ${randomBytes(4).toString('hex')}`
  await createApp(page, { name, type: 'Web', redirectUris: ['https://reviewed.example/callback'] })
  await page.goto('/admin')
  const clicks = await countClicks(page)
  await page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('searchbox', { name: 'Search apps' }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Verify app' }).click()
  await expect(page.getByText('Verified', { exact: true }).first()).toBeVisible()
  expect(clicks()).toBe(3)
})

test('a developer finds the cause of a failed sign-in with one click from the workspace page', async ({
  page,
}) => {
  const { home } = await signUp(page, 'Annie Easley')
  const workspace = home.split('/').at(-1)
  const app = await createApp(page, { name: 'Centaur', type: 'Native', redirectUris: [redirect], workspace })
  const wrong = 'http://127.0.0.1:7777/other'
  expect((await page.goto(authorizeAddress(app.clientId, 'openid', wrong)))?.status()).toBe(400)
  const review = page.getByRole('link', { name: 'Review requests' })
  // The server records rejected requests within a second.
  await expect(async () => {
    await page.goto(home)
    await expect(review).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const clicks = await countClicks(page)
  await review.click()
  await expect(page.getByText(wrong).first()).toBeVisible()
  expect(clicks()).toBe(1)
})

test('a user revokes an app’s access in two clicks from the list of apps', async ({ page, problems }) => {
  problems.expect('ERR_CONNECTION_REFUSED')
  const { home } = await signUp(page, 'Gladys West')
  const workspace = home.split('/').at(-1)
  const app = await createApp(page, { name: 'Geodesy', type: 'Native', redirectUris: [redirect], workspace })
  await page.goto(authorizeAddress(app.clientId, 'openid'))
  await backToApp(page, redirect, 'Authorize')
  await page.goto('/account/apps')
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Revoke Geodesy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(page.getByText('Geodesy')).toHaveCount(0)
  expect(clicks()).toBe(2)
})
