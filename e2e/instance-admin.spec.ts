import { randomUUID } from 'node:crypto'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Titles of instance admin pages, by path below /admin. */
const areas = {
  '': 'Health',
  '/activity': 'Activity',
  '/people': 'People',
  '/workspaces': 'Workspaces',
  '/apps': 'Apps',
  '/keys': 'Signing keys',
  '/jobs': 'Jobs',
  '/settings': 'Settings',
  '/branding': 'Branding',
  '/audit': 'Audit log',
}

test('an instance admin suspends a user, which ends the user’s session, then unsuspends the user and creates a reset link', async ({
  page,
  browser,
  baseURL,
  signIn,
  screenshots,
}) => {
  // The user signs in with a separate browser.
  const theirs = await (await browser.newContext({ baseURL })).newPage()
  const { email } = await signUp(theirs, 'Mallory Suspect')

  await signIn('ada')
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name: 'People' }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(2)
  await screenshots('admin/people')
  await page.getByRole('link', { name: 'Mallory Suspect' }).click()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
  await screenshots('admin/user')
  await theirs.goto('/account/profile')
  await expect(theirs).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Unsuspend' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Create reset link' }).click()
  const link = await page.getByRole('textbox', { name: 'Reset link' }).inputValue()
  await theirs.goto(link)
  await theirs.getByLabel('New password').fill('an entirely new password')
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await expect(theirs.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await theirs.context().close()

  await page.goto('/admin/audit')
  await page.getByRole('searchbox').fill('user.suspended')
  await page.keyboard.press('Enter')
  // Other tests suspend users at the same time.
  const listed = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  await expect(listed.filter({ hasText: 'Ada Lovelace suspended Mallory Suspect' }).first()).toBeVisible()
})

test('every instance admin page shows its heading', async ({ page, signIn, screenshots }) => {
  await signIn('ada')
  for (const [area, title] of Object.entries(areas)) {
    await page.goto(`/admin${area}`)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await screenshots(`instance admin${area || '/health'}`)
  }
})

test('an instance admin searches the current settings by name and by value', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/admin/settings')
  await page.getByRole('link', { name: 'All values' }).click()
  const rows = page.getByRole('table', { name: 'Settings' }).getByRole('row')
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await expect(search).toBeVisible()
  const all = (await rows.count()) - 1
  expect(all).toBeGreaterThan(30)
  await expect(page.getByRole('status').filter({ hasText: `${all} of ${all}` })).toBeVisible()

  await search.fill('workspace_apps')
  await expect(rows).toHaveText([/^Setting/, /^WORKSPACE_APPS/])
  await expect(page.getByRole('status').filter({ hasText: `1 of ${all}` })).toBeVisible()
  const { host } = new URL(page.url())
  await search.fill(` ${host.toUpperCase()} `)
  await expect(rows.filter({ hasText: 'BASE_URL' })).toBeVisible()
  await search.fill('no such setting')
  await expect(rows).toHaveCount(0)
  await expect(page.getByText('No settings match “no such setting”.')).toBeVisible()
  await screenshots('admin/settings-environment-no-match')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(search).toBeFocused()
  await expect(rows).toHaveCount(all + 1)
})

test('an instance admin disables an app, which cannot sign users in until it is enabled again', async ({
  page,
  request,
  signIn,
  screenshots,
}) => {
  const redirect = 'http://127.0.0.1:7777/callback'
  const name = `Agent ${randomUUID()}`
  const registered = await request.post('/oauth/register', {
    data: { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  })
  const { client_id: clientId } = await registered.json()
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  const authorize = `/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`
  await signIn('ada')
  await page.goto(authorize)
  await expect(page.getByRole('button', { name: 'Authorize' })).toBeVisible()

  await page.goto(`/admin/apps?search=${clientId}`)
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Disable app…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable app' }).click()
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  await screenshots('admin/app')
  expect((await page.goto(authorize))?.status()).toBe(400)
  await page.goto(`/admin/apps/${clientId}`)
  await page.getByRole('button', { name: 'Enable app' }).click()
  await expect(page.getByText('Disabled', { exact: true })).toBeHidden()
  await page.goto(authorize)
  await expect(page.getByRole('button', { name: 'Authorize' })).toBeVisible()
})

test('an instance admin previews the branding and cannot save an unreadable color', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/admin/branding')
  const preview = page.frameLocator('iframe')
  await expect(preview.getByText('Sign in to Latchkey')).toBeVisible()
  await page.getByLabel('Service name').fill('Acme ID')
  await page.getByLabel('Accent color', { exact: true }).fill('#0b7285')
  await expect(preview.getByText('Sign in to Acme ID')).toBeVisible()
  await expect
    .poll(() =>
      preview
        .locator('button', { hasText: /^Sign in$/ })
        .evaluate((button) => getComputedStyle(button).backgroundColor),
    )
    .toBe('rgb(11, 114, 133)')
  await page.getByRole('button', { name: 'Consent', exact: true }).click()
  await page.getByRole('group', { name: 'Colors' }).getByRole('button', { name: 'Dark' }).click()
  await expect(preview.getByText('Example App wants to access your Acme ID account')).toBeVisible()
  await screenshots('admin/branding-preview')

  await page.getByLabel('Accent color', { exact: true }).fill('#ffffff')
  await expect(page.getByText('Buttons in this color are hard to see on light pages.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Accent color', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(preview.getByText('Example App wants to access your Latchkey account')).toBeVisible()
})

test('users who are not instance admins cannot open the instance admin pages', async ({ page, signIn }) => {
  await signIn('grace')
  for (const area of [...Object.keys(areas), `/people/${randomUUID()}`]) {
    expect((await page.goto(`/admin${area}`))?.status()).toBe(404)
  }
})

test('/operator redirects to /admin and keeps the path and the query', async ({ page }) => {
  const answer = await page.request.get('/operator/people?search=ada', { maxRedirects: 0 })
  expect(answer.status()).toBe(308)
  expect(answer.headers().location).toMatch(/\/admin\/people\?search=ada$/)
})
