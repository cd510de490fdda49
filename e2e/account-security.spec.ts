import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { code, setUpApp } from './support/authenticator-app'
import { followMail } from './support/mailbox'
import { openMethod } from './support/open-method'
import { addSecurityKey } from './support/security-key'
import { signUp } from './support/sign-up'
import { expect, signInByForm, test } from './support/test'

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies()
}

test('a user resets a forgotten password through an emailed link', async ({ page, screenshots }) => {
  const { email } = await signUp(page)
  await signOut(page)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await screenshots('forgot-password')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await screenshots('forgot-password-sent')
  await followMail(page, email, '/reset-password')
  await page.getByLabel('New password').fill('an entirely new password')
  await screenshots('reset-password')
  const link = page.url()
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await screenshots('dead-link')
  await signInByForm(page, email, 'an entirely new password')
})

test('a user confirms their email address, then changes it and confirms the new one', async ({
  page,
  screenshots,
}) => {
  const { email, password } = await signUp(page)
  await page.goto('/account/security')
  const section = page.getByRole('region', { name: 'Email address' })
  await expect(section).toContainText('Not confirmed')
  await followMail(page, email, '/verify-email')
  await screenshots('verify-email')
  await signOut(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in to confirm' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
  await page.goto('/account/security')
  await expect(section).not.toContainText('Not confirmed')

  const next = `${randomUUID()}@example.com`
  await section.locator('summary').click()
  await section.getByLabel('New email').fill(next)
  await section.getByLabel('Password').fill('not the password')
  await section.getByRole('button', { name: 'Change email' }).click()
  await expect(section.getByText('This password is incorrect.')).toBeVisible()
  await expect(section.getByLabel('New email')).toHaveValue(next)
  await section.getByLabel('Password').fill(password)
  await section.getByRole('button', { name: 'Change email' }).click()
  await expect(section.getByText(`We’ve sent a link to ${next}`)).toBeVisible()
  await followMail(page, next, '/verify-email')
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
  await signOut(page)
  await signInByForm(page, next, password)
})

test('after the user sets up an authenticator app, sign-in requires one of its codes or a recovery code', async ({
  page,
  screenshots,
}) => {
  const { email, password } = await signUp(page)
  await page.goto('/account/security')
  await screenshots('account/security')
  const { secret, recoveryCodes } = await setUpApp(page, password)
  await screenshots('account/security-recovery-codes')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()

  await signOut(page)
  await signInByForm(page, email, password)
  await expect(page).toHaveURL(/\/login\/verify/)
  await screenshots('login-verify')
  await page.goto('/account/security')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.goto('/login/verify?next=%2Faccount%2Fsecurity')
  await page.getByLabel('Code').fill('abcdef')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is incorrect')).toBeVisible()
  await page.getByLabel('Code').fill(code(secret, 1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/account\/security$/)

  await signOut(page)
  await signInByForm(page, email, password)
  await page.getByLabel('Code').fill(recoveryCodes[0] as string)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.goto('/account/security')
  await expect(page.getByText('9 of 10 left')).toBeVisible()
})

test('a user signs in with a passkey alone, and with a passkey as the second step', async ({
  page,
  screenshots,
}) => {
  const key = await addSecurityKey(page)
  const { email, password } = await signUp(page)
  await addPasskey(page, 'Test device', password)
  const section = page.getByRole('region', { name: 'Passkeys' })
  await expect(page.getByRole('heading', { name: 'Store your recovery codes now' })).toBeVisible()
  await screenshots('account/security-passkey')

  await signOut(page)
  await key.answers(false)
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  await key.offered(page)
  await key.answers(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/account\/security$/)
  await expect(section.getByRole('list', { name: 'Passkeys' })).toContainText('last used')

  await signOut(page)
  await key.answers(false)
  await signInByForm(page, email, password)
  await expect(page).toHaveURL(/\/login\/verify/)
  await screenshots('login-verify-passkey')
  await key.answers(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))

  await page.goto('/account/security')
  await section.getByRole('button', { name: 'Remove Test device' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Test device?' })
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(section.getByRole('list', { name: 'Passkeys' })).toBeHidden()
  await signOut(page)
  await key.answers(false)
  await signInByForm(page, email, password)
  await expect(page).not.toHaveURL(/\/login/)
})

/** Adds a passkey for the signed-in user, and stays on the page that lists it. */
async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  await page.goto('/account/security')
  const section = await openMethod(page, 'Passkeys', password)
  await section.getByLabel('Passkey name').fill(name)
  await section.getByRole('button', { name: 'Add passkey' }).click()
  // Adding a passkey takes two requests with a browser dialog between them, which is slow on a busy machine.
  await expect(section.getByRole('list', { name: 'Passkeys' })).toContainText(name, { timeout: 45_000 })
}

test('a user signs in with a passkey that the browser offers without a click', async ({ page }) => {
  await addSecurityKey(page)
  const { password } = await signUp(page)
  await addPasskey(page, 'Test device', password)
  await signOut(page)
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  await expect(page).toHaveURL(/\/account\/security$/)
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('last used')
})

test('a user renames a passkey in the list, with and without JavaScript', async ({ page, browser }) => {
  await addSecurityKey(page)
  const { password } = await signUp(page)
  await addPasskey(page, 'Old laptop', password)
  const list = page.getByRole('list', { name: 'Passkeys' })
  await list.getByText('Rename').click()
  await expect(list.getByLabel('New name')).toHaveValue('Old laptop')
  await list.getByLabel('New name').fill('   ')
  await list.getByRole('button', { name: 'Save name' }).click()
  await expect(list.getByText('Enter a name for the passkey.')).toBeVisible()
  await list.getByLabel('New name').fill('Work laptop')
  await list.getByRole('button', { name: 'Save name' }).click()
  await expect(list.getByLabel('New name')).toBeHidden()
  await expect(list).toContainText('Work laptop')

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const scriptless = await plain.newPage()
  await scriptless.goto(page.url())
  const rows = scriptless.getByRole('list', { name: 'Passkeys' })
  await rows.getByText('Rename').click()
  await rows.getByLabel('New name').fill('Home laptop')
  await rows.getByRole('button', { name: 'Save name' }).click()
  await expect(rows).toContainText('Home laptop')
  await plain.close()
})

test('a workspace that requires two-factor authentication shows users how to get access', async ({
  page,
  screenshots,
}) => {
  const { email, password, home } = await signUp(page)
  const rule = page.getByRole('region', { name: 'Two-factor authentication' })
  await page.goto(`${home}/settings`)
  await rule.getByRole('button', { name: 'Require two-factor' }).click()
  await expect(page.getByText('Set up two-factor authentication for yourself first')).toBeVisible()

  await setUpApp(page, password)
  await page.goto(`${home}/settings`)
  await rule.getByRole('button', { name: 'Require two-factor' }).click()
  await expect(rule.getByText('Required', { exact: true })).toBeVisible()
  await screenshots('workspace-two-factor-rule')

  // Without the authenticator app, the next sign-in uses only the password.
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Remove authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the authenticator app?' })
  // The dialog does not request the password again, because the user entered it a moment ago.
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Remove authenticator app' }).click()
  await expect(page.getByRole('region', { name: 'Authenticator app' })).toContainText('Off')
  await signOut(page)
  await signInByForm(page, email, password)
  for (const below of ['', '/settings', '/members', '/settings/developer', '/projects/new']) {
    await page.goto(`${home}${below}`)
    await expect(page).toHaveURL(`${home}/two-factor`)
  }
  await expect(page.getByRole('heading', { name: /requires two-factor authentication/ })).toBeVisible()
  await screenshots('workspace-two-factor-required')
  await page.getByRole('link', { name: 'Set up two-factor' }).click()
  await setUpApp(page, password)
  await page.goto(home)
  await expect(page).toHaveURL(home)
})
