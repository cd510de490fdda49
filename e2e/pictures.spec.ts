import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { createApp } from './clients/oauth-app'
import { findBarriers } from './support/accessibility'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

const draw = async (background: string) => ({
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 300, height: 240, channels: 3, background } })
    .png()
    .toBuffer(),
})

/** Waits until an image has loaded and can be shown. */
const expectShown = (image: Locator) =>
  expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(256)

test('a user uploads and removes a profile image', async ({ page, screenshots }) => {
  await signUp(page)
  await page.goto('/account/profile')
  const field = page.getByLabel('New picture')
  const upload = page.getByRole('button', { name: 'Upload' })
  await field.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await upload.click()
  await expect(field).toHaveAccessibleDescription(/This is not a PNG, JPEG, or WebP file/)
  await expect(field).toBeFocused()
  await screenshots('picture-refused')
  expect(await findBarriers(page)).toEqual([])

  await field.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(6_000_000) })
  await upload.click()
  await expect(field).toHaveAccessibleDescription(/the limit is 4 MB/)

  await field.setInputFiles(await draw('#7c3aed'))
  await upload.click()
  const remove = page.getByRole('button', { name: 'Remove' })
  await expect(remove).toBeVisible()
  await expect(field).not.toHaveAccessibleDescription(/limit/)
  await expectShown(page.locator('form#picture img'))
  await expectShown(page.locator('summary').filter({ hasText: 'Account' }).locator('img'))
  await screenshots('picture')
  await remove.click()
  await expect(remove).toHaveCount(0)
  await expect(page.locator('img[src^="/pictures/"]')).toHaveCount(0)
})

test('an app’s light and dark logos are shown in the console, on the consent page, and on the sign-in page', async ({
  page,
  screenshots,
}) => {
  const { home } = await signUp(page)
  const workspace = home.split('/').at(-1)
  const { clientId } = await createApp(page, {
    name: 'Comet finder',
    type: 'Native',
    redirectUris: ['http://127.0.0.1/callback'],
    workspace,
  })
  const developer = `${home}/settings/developer`
  await page.goto(`${developer}/${clientId}`)
  const form = (theme: string) => page.locator(`form#${theme}-logo`)
  const upload = async (theme: string, label: string, color: string) => {
    await form(theme)
      .getByLabel(label)
      .setInputFiles(await draw(color))
    await form(theme).getByRole('button', { name: 'Upload' }).click()
    await expect(form(theme).getByRole('button', { name: 'Remove' })).toBeVisible()
  }
  await upload('light', 'New logo', '#0d9488')
  const light = await form('light').locator('img').getAttribute('src')
  // Until the app has a dark logo, dark pages show the light one.
  await expect(form('dark').locator('img')).toHaveAttribute('src', String(light))
  await form('dark')
    .getByLabel('New dark logo')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await form('dark').getByRole('button', { name: 'Upload' }).click()
  await expect(form('dark').getByLabel('New dark logo')).toHaveAccessibleDescription(/This is not a PNG/)
  await expect(form('light').getByLabel('New logo')).not.toHaveAccessibleDescription(/This is not a PNG/)
  await upload('dark', 'New dark logo', '#5eead4')
  const dark = await form('dark').locator('img').getAttribute('src')
  await expectShown(form('light').locator('img'))
  await expectShown(form('dark').locator('img'))
  await screenshots('app-logos')
  await page.goto(developer)
  const logos = page.locator('img[src^="/pictures/"]')
  const expectOneShown = async (src: string | null) => {
    await expect(logos.filter({ visible: true })).toHaveAttribute('src', String(src))
    await expectShown(logos.filter({ visible: true }))
  }
  for (const [colorScheme, src] of [['dark', dark] as const, ['light', light] as const]) {
    await page.emulateMedia({ colorScheme })
    await expectOneShown(src)
  }
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'http://127.0.0.1/callback',
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  await page.goto(`/oauth/auth?${query}`)
  await expect(page.getByRole('heading', { name: /Comet finder/, level: 1 })).toBeVisible()
  await expectOneShown(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectOneShown(dark)
  // A color scheme that the user selected takes precedence over the system's.
  await page.context().addCookies([{ name: 'latchkey.theme', value: 'light', url: page.url() }])
  await page.reload()
  await expectOneShown(light)
  await page.context().clearCookies({ name: 'latchkey.theme' })
  await page.reload()
  await screenshots('consent-with-logo')
  // A signed-out user sees the sign-in page first.
  await page.context().clearCookies()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/oauth/auth?${query}`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectOneShown(dark)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an invalid profile image is rejected, and a valid image is uploaded', async ({ page }) => {
    await signUp(page)
    await page.goto('/account/profile')
    await page.getByLabel('New picture').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    })
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('This is not a PNG, JPEG, or WebP file')).toBeVisible()
    await page.getByLabel('New picture').setInputFiles(await draw('#b45309'))
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  })
})

test('no other site can upload an image for a user', async ({ page, request, baseURL }) => {
  await signUp(page)
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await request.post(`${baseURL}/account/profile/picture`, {
    headers: { origin: 'https://evil.example', cookie: cookies },
    multipart: { picture: await draw('#000000') },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(403)
})
