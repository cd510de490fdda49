import { startCallback } from './clients/callback'
import { createApp } from './clients/oauth-app'
import { tabTo } from './support/by-keyboard'
import { startDevice } from './support/device'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Performs the most common tasks with only the keyboard. Every tab stop must show the focus. */

test('a user signs in, selects a workspace, and authorizes an app using only the keyboard', async ({
  page,
}) => {
  const { email, password, home } = await signUp(page, 'Karen Keys')
  const callback = await startCallback()
  const workspace = home.split('/').at(-1)
  const app = await createApp(page, {
    name: 'Typewriter',
    type: 'Native',
    redirectUris: [callback.uri],
    workspace,
  })
  await page.context().clearCookies()
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: callback.uri,
    response_type: 'code',
    scope: 'openid offline_access workspace:viewer',
    prompt: 'consent',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  await page.goto(`/oauth/auth?${query}`)
  await tabTo(page, page.getByRole('textbox', { name: 'Email' }))
  await page.keyboard.type(email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /Typewriter/, level: 1 })).toBeVisible()
  const choices = page.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox')
  await tabTo(page, choices.first(), 'Space')
  await expect(choices.first()).toBeChecked()
  await tabTo(page, page.getByRole('button', { name: 'Authorize' }), 'Enter')
  expect((await callback.answer).searchParams.get('code')).toBeTruthy()
  await callback.close()
})

test('a user connects a device using only the keyboard', async ({ page, baseURL }) => {
  await signUp(page, 'Karen Keys')
  const device = await startDevice(baseURL, 'openid')
  await page.goto('/device')
  await tabTo(page, page.getByRole('textbox', { name: 'Code' }))
  await page.keyboard.type(device.user_code)
  await tabTo(page, page.getByRole('button', { name: 'Continue' }), 'Enter')
  await tabTo(page, page.getByRole('button', { name: 'Authorize' }), 'Enter')
  await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
})

test('a user creates an app, opens its pages, and skips the navigation using only the keyboard', async ({
  page,
}) => {
  const { home } = await signUp(page, 'Karen Keys')
  await page.goto(home)
  const link = (name: string) => page.getByRole('link', { name }).first()
  await tabTo(page, link('Developer'), 'Enter')
  await expect(page.getByRole('heading', { name: 'Developer', level: 1 })).toBeVisible()
  const make = page.getByRole('button', { name: 'New OAuth App' })
  await tabTo(page, make.first(), 'Enter')
  // The separators between breadcrumbs are hidden from screen readers.
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toMatchAriaSnapshot(`
    - navigation "Breadcrumb":
      - list:
        - listitem:
          - link "Developer"
  `)
  await tabTo(page, page.getByRole('textbox', { name: 'App name' }))
  await page.keyboard.type('Typewriter')
  await tabTo(page, page.getByRole('textbox', { name: 'Redirect URIs' }))
  await page.keyboard.type('https://type.example/callback')
  await tabTo(page, page.getByRole('button', { name: 'Create app' }), 'Enter')
  await expect(page.getByRole('heading', { name: 'Store this client secret now' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'I have stored it' }), 'Enter')
  for (const tab of ['Settings', 'Credentials', 'Activity', 'People', 'Danger', 'Overview']) {
    const there = page.getByRole('navigation', { name: 'App' }).getByRole('link', { name: tab })
    await tabTo(page, there, 'Enter')
    await expect(there).toHaveAttribute('aria-current', 'page')
    // The link is marked as current before its page loads, and the loaded page moves the focus.
    await expect(page).toHaveURL(String(await there.getAttribute('href')))
  }
  await page.reload()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a table’s container is focusable and has an accessible name only if the table scrolls', async ({
  page,
}) => {
  const { home } = await signUp(page, 'Karen Keys')
  for (const [address, name] of [
    [`${home}/members`, 'Members'],
    ['/docs/limits', /./],
  ] as const) {
    await page.goto(address)
    const table = page.getByRole('table', { name }).first()
    const box = table.locator('xpath=..')
    await expect(box).not.toHaveAttribute('tabindex')
    await expect(box).not.toHaveAttribute('role')
    await table.evaluate((element) => {
      element.style.minWidth = '3000px'
    })
    await expect(box).toHaveRole('group')
    await expect(box).toHaveAccessibleName('Scrolls sideways')
    await box.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  }
})
