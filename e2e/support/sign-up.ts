import { randomBytes } from 'node:crypto'
import { type Cookie, expect, type Page } from '@playwright/test'
import { followMail } from './mailbox'

export type NewUser = {
  name: string
  email: string
  password: string
  /** The path of the user's own workspace. */
  home: string
}

/** Returns a random email address, for which no account exists. */
const newAddress = (name: string) =>
  `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@example.com`

/**
 * Signs up a new user with their own workspace, for tests that change a user, end sessions, or need a
 * separate workspace. Sends the sign-up form without opening a page, because many tests start with a new
 * user, and rendering the home page takes longer than the sign-up. The user is signed in in the page's
 * browser context. `auth-pages.spec.ts` tests the form itself.
 */
export async function signUp(page: Page, name = 'Test User'): Promise<NewUser> {
  const user = { name, email: newAddress(name), password: 'correct horse battery' }
  const { request } = page
  const { origin } = new URL((await request.get('/signup')).url())
  const answer = await request.post('/signup/submit', { form: user, headers: { origin }, maxRedirects: 0 })
  expect(answer.status()).toBe(303)
  const { location = '' } = (await request.get('/', { maxRedirects: 0 })).headers()
  const home = new URL(location, origin).pathname
  expect(home).toMatch(/^\/workspaces\/[^/]+$/)
  return { ...user, home }
}

/**
 * Signs up a new user and confirms the user's email address. Users must confirm their email address before
 * they create an app in production.
 */
export async function signUpConfirmed(page: Page, name?: string): Promise<NewUser> {
  const user = await signUp(page, name)
  await followMail(page, user.email, '/verify-email')
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
  return user
}

/** Invites an email address to a workspace whose admin is signed in. @returns the invitation's link */
export async function invite(
  page: Page,
  home: string,
  email: string,
  role: 'Admin' | 'Member' | 'Viewer',
): Promise<string> {
  await page.goto(`${home}/members/invite`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption(role)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  return page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
}

/** Accepts an invitation as the signed-in user. */
export async function join(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: /^Join as/ }).click()
  await expect(page).toHaveURL(/\/workspaces\//)
}

/**
 * Adds a new user to the workspace of the signed-in admin, who stays signed in.
 * @param home the path of the workspace
 * @returns the new user's session cookies
 */
export async function addMember(
  page: Page,
  home: string,
  name: string,
  role: 'Admin' | 'Member' | 'Viewer',
): Promise<Cookie[]> {
  const context = page.context()
  const asAdmin = await context.cookies()
  const link = await invite(page, home, newAddress(name), role)
  await context.clearCookies()
  await signUp(page, name)
  await join(page, link)
  const asMember = await context.cookies()
  await context.clearCookies()
  await context.addCookies(asAdmin)
  return asMember
}
