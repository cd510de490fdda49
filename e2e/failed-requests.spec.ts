import type { Page } from '@playwright/test'
import { awaken } from './support/palette'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Signs up a user and opens a form with unsaved input. */
async function openForm(page: Page) {
  const user = await signUp(page, 'Rosa Parks')
  await page.goto('/account/profile')
  await awaken(page)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Rosa Louise Parks')
  return { user, name, save: page.getByRole('button', { name: 'Save changes', exact: true }) }
}

/** Expects that the frame, the form, and its input are still shown, with a message. */
async function expectKept(page: Page, message: string) {
  await expect(page.getByRole('status').getByText(message)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Rosa Louise Parks')
  await expect(page.getByRole('link', { name: 'Sessions' })).toBeVisible()
}

/** Saves again with the same button and expects that the server has stored the input. */
async function expectSaved(page: Page) {
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Rosa Louise Parks')
}

test('a form keeps its input while the browser is offline, and the same button saves it later', async ({
  page,
  context,
  problems,
  screenshots,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  const { save } = await openForm(page)
  await context.setOffline(true)
  await save.click()
  await expectKept(page, 'You’re offline. Your changes are still here.')
  await screenshots('form-offline')
  await context.setOffline(false)
  await expectSaved(page)
})

test('a form keeps its input if a proxy responds with an error', async ({ page, problems }) => {
  problems.expect(/502/)
  const { save } = await openForm(page)
  const proxy = '/account/profile'
  await page.route(
    ({ pathname }) => pathname === proxy,
    (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
        : route.continue(),
  )
  await save.click()
  await expectKept(page, 'The server couldn’t answer. Your changes are still here. Try again.')
  await page.unrouteAll()
  await expectSaved(page)
})

test('a form keeps its input if the server does not respond within a minute', async ({ page }) => {
  const { save } = await openForm(page)
  await page.clock.install()
  await page.route(
    ({ pathname }) => pathname === '/account/profile',
    (route) => (route.request().method() === 'POST' ? undefined : route.continue()),
  )
  await save.click()
  await expect(save).toBeDisabled()
  await page.clock.fastForward(60_000)
  await expectKept(page, 'We couldn’t reach the server. Your changes are still here. Try again.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expectSaved(page)
})

test('a form keeps its input if the session has ended, and saves it after a sign-in in another tab', async ({
  page,
  context,
}) => {
  const { user, save } = await openForm(page)
  await context.clearCookies()
  await save.click()
  await expectKept(page, 'You’re signed out. Sign in in a new tab, then try again here.')
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in', exact: true }).click(),
  ])
  await tab.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await tab.getByRole('textbox', { name: 'Password' }).fill(user.password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.waitForURL(/\/workspaces\//)
  await tab.close()
  await expectSaved(page)
})

test('a link leaves the current page open while the browser is offline', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await signUp(page)
  await page.goto('/account/profile')
  await awaken(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(page.getByText('You’re offline. This page stays open.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
})

test('if a page fails to render, the navigation remains, and the page is shown on the next attempt', async ({
  page,
  problems,
}) => {
  problems.expect(/no time here/)
  await signUp(page)
  await page.goto('/account/profile')
  await awaken(page)
  // Every page that formats a time now fails in this browser.
  await page.evaluate(() => {
    const { prototype } = Intl.DateTimeFormat
    const format = Object.getOwnPropertyDescriptor(prototype, 'format') as PropertyDescriptor
    Object.defineProperty(prototype, 'format', {
      ...format,
      get: () => {
        throw new Error('no time here')
      },
    })
    Object.assign(window, { repair: () => void Object.defineProperty(prototype, 'format', format) })
  })
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(page.getByRole('heading', { name: 'This page couldn’t be shown' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sessions')
  await expect(page.getByRole('link', { name: 'Sessions' })).toBeVisible()
  // The error occurred in the browser, so the server logged nothing and the page shows no reference.
  await expect(page.getByRole('main').getByText('Reference')).toHaveCount(0)
  await page.evaluate(() => (window as unknown as { repair: () => void }).repair())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Sign-ins' })).toBeVisible()
})
