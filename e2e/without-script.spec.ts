import { signUp } from './support/sign-up'
import { newPublicKey } from './support/ssh-key'
import { expect, signInByForm, test } from './support/test'

/**
 * Tests that pages without JavaScript show the messages that a script would otherwise show as a toast or by
 * moving focus.
 */
test.use({ javaScriptEnabled: false })

test('without JavaScript, a form focuses an invalid field and shows its error, and reports a successful save', async ({
  page,
}) => {
  await signUp(page)
  await page.goto('/account/ssh-keys')
  await page.getByLabel('Title').fill('Work laptop')
  await page.getByLabel('Public key').fill('ssh-ed25519 AAAA')
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const field = page.getByLabel('Public key')
  await expect(field).toHaveAccessibleDescription('The key is incomplete or damaged. Copy it again.')
  await expect(field).toBeFocused()
  await expect(page.getByLabel('Title')).toHaveValue('Work laptop')
  await field.fill(newPublicKey('grace@work'))
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(page.getByRole('row', { name: /Work laptop/ })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'SSH key added' })).toBeVisible()
})

test('without JavaScript, removing an SSH key that was already removed in another tab shows an error', async ({
  page,
  context,
}) => {
  await signUp(page)
  await page.goto('/account/ssh-keys')
  await page.getByLabel('Title').fill('Work laptop')
  await page.getByLabel('Public key').fill(newPublicKey('grace@work'))
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const other = await context.newPage()
  for (const each of [other, page]) {
    await each.goto('/account/ssh-keys')
    await each.getByRole('button', { name: 'Remove Work laptop' }).click()
  }
  const remove = (each: typeof page) =>
    each
      .getByRole('dialog')
      .getByRole('button', { name: /Remove/ })
      .click()
  await remove(other)
  await expect(other.getByRole('row', { name: /Work laptop/ })).toHaveCount(0)
  await expect(other.getByRole('alert')).toHaveCount(0)
  await remove(page)
  await expect(page.getByRole('alert')).toHaveText('The SSH key was not found.')
})

test('without JavaScript, signing out everywhere else shows the result', async ({ page }) => {
  const { email, password } = await signUp(page)
  await page.context().clearCookies()
  await signInByForm(page, email, password)
  await page.goto('/account/sessions')
  const button = page.getByRole('button', { name: 'Sign out everywhere else' })
  await button.click()
  await expect(page.getByRole('status').filter({ hasText: 'Signed out everywhere else' })).toBeVisible()
  await expect(button).toBeDisabled()
})

test('without JavaScript, a token’s menu button opens a page on which the user can revoke the token', async ({
  page,
}) => {
  await signUp(page)
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Night build')
  await page.getByRole('button', { name: 'Create token' }).click()
  const other = await page.context().newPage()
  for (const each of [other, page]) {
    await each.goto('/account/tokens')
    await each.getByRole('button', { name: 'Actions for Night build' }).click()
    await expect(each.getByRole('heading', { level: 1 })).toHaveText('Night build')
  }
  const revoke = (each: typeof page) => each.getByRole('button', { name: 'Revoke token' }).click()
  await revoke(page)
  await expect(page).toHaveURL('/account/tokens')
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await revoke(other)
  await expect(other.getByRole('alert')).toHaveText(
    'The token was not found, or you don’t have access to it.',
  )
})

test('without JavaScript on a phone, a user can navigate the console and sign out', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const { home } = await signUp(page)
  await page.goto(home)
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page).toHaveURL(`${home}/members`)
  await page.locator('summary').filter({ hasText: 'Workspace' }).click()
  await page.getByRole('link', { name: 'All workspaces' }).click()
  await expect(page).toHaveURL('/workspaces')
  await page.locator('summary').filter({ hasText: 'Account' }).click()
  await page.getByRole('link', { name: 'Account settings' }).click()
  await expect(page).toHaveURL('/account/profile')
  await page.locator('summary').filter({ hasText: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto(home)
  await expect(page).toHaveURL(/\/login\?next=/)
})
