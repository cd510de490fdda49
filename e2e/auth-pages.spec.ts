import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { signUp } from './support/sign-up'
import { expect, signInByForm, test } from './support/test'

const password = 'correct horse battery'

test('a new user signs up, gets a workspace, and signs in again with the password', async ({
  page,
  screenshots,
}) => {
  const email = `${randomUUID()}@example.com`
  await page.goto('/signup?next=/account/tokens')
  await page.getByRole('textbox', { name: 'Name' }).fill('Alan Turing')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await screenshots('signup')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/account\/tokens$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\/workspaces\/alan-turing/)
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()

  await page.locator('summary').filter({ hasText: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto('/account/profile')
  await expect(page).toHaveURL(/\/login\?next=%2Faccount%2Fprofile$/)
  await signInByForm(page, email, password)
})

test('a password is rated as the user types, without a layout shift', async ({ page }) => {
  let rate = () => {}
  const held = new Promise<void>((resolve) => {
    rate = resolve
  })
  await page.route('**/strength.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/signup')
  const button = page.getByRole('button', { name: 'Create account' })
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  const before = await button.boundingBox()
  rate()
  await expect(page.getByRole('status')).toHaveText('Too short')
  expect(await button.boundingBox()).toEqual(before)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await expect(page.getByRole('status')).toHaveText('Strong')
  // The button keeps its name when pressed, because a pressed "Hide characters" button would be
  // contradictory.
  const shows = page.getByRole('button', { name: 'Show characters', pressed: false })
  await shows.click()
  await expect(page.getByRole('button', { name: 'Show characters', pressed: true })).toBeVisible()
  await expect(page.locator('input[name=password]')).toHaveAttribute('type', 'text')
  expect(await button.boundingBox()).toEqual(before)
})

test('the sign-up form reports an existing account at the email field and keeps the input', async ({
  page,
}) => {
  await page.goto('/signup')
  await page.getByRole('textbox', { name: 'Name' }).fill('Another Ada')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect(email).toHaveAccessibleDescription(/already has an account/)
  await expect(email).toHaveValue('ada@example.com')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Another Ada')
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
})

test('after a wrong password, the sign-in form shows a neutral error and keeps the email address', async ({
  page,
}) => {
  await page.goto('/login?next=//evil.example')
  await page.getByRole('textbox', { name: 'Email' }).fill('edsger@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('The email or password is incorrect.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('edsger@example.com')
  expect(page.url()).not.toContain('edsger')
})

test('a browser whose session was revoked in another browser is redirected to the sign-in page', async ({
  page,
  browser,
  baseURL,
}) => {
  const { email, password } = await signUp(page)
  const other = await browser.newContext({ ...(baseURL ? { baseURL } : {}) })
  await other.addCookies(await page.context().cookies())
  await page.context().clearCookies()
  await signInByForm(page, email, password)
  await page.goto('/account/sessions')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('Signed out everywhere else')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeDisabled()
  const elsewhere = await other.newPage()
  await elsewhere.goto('/account/sessions')
  await expect(elsewhere).toHaveURL(/\/login\?next=/)
  await other.close()
})

/** Returns the status of each font that the page declares, after all fonts have loaded or failed. */
const fontsOf = (page: Page) =>
  page.evaluate(async () =>
    [...(await document.fonts.ready)].map(({ family, status }) => `${family} ${status}`),
  )

test('error pages of OAuth endpoints and of rejected forms use the same font as other pages', async ({
  page,
  baseURL,
  screenshots,
}) => {
  const font = page.waitForResponse('**/inter.woff2')
  const unknownApp = await page.goto(
    '/oauth/auth?client_id=unknown&redirect_uri=https://app.example/callback',
  )
  expect(unknownApp?.status()).toBe(400)
  expect((await font).status()).toBe(200)
  expect((await font).headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=86400',
  })
  expect(await fontsOf(page)).toEqual(['Inter loaded'])
  await screenshots('oauth-error')

  // This page has no origin, so the server rejects its form as cross-site.
  await page.goto('about:blank')
  await page.setContent(`<form method="post" action="${baseURL}/login/submit"><button>Send</button></form>`)
  const refused = page.waitForResponse('**/login/submit')
  await page.getByRole('button', { name: 'Send' }).click()
  expect((await refused).status()).toBe(403)
  await expect(page.getByRole('heading')).toBeVisible()
  expect(await fontsOf(page)).toEqual(['Inter loaded'])
  await screenshots('refused-form')
})

test('an OAuth endpoint’s error page is shown even if the font is unavailable', async ({
  page,
  problems,
}) => {
  problems.expect('inter.woff2')
  await page.route('**/inter.woff2', (route) => route.abort())
  await page.goto('/oauth/auth?client_id=unknown&redirect_uri=https://app.example/callback')
  await expect(page.getByRole('heading')).toBeVisible()
  expect(await fontsOf(page)).toEqual(['Inter error'])
})
