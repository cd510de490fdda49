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

/** Waits until an image has arrived and could be shown. */
const expectShown = (image: Locator) =>
  expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(256)

test('a person shows a picture, and takes it away', async ({ page, screenshots }) => {
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
  await expect(field).toHaveAccessibleDescription(/This is no PNG, JPEG or WebP file/)
  await expect(field).toBeFocused()
  await screenshots('picture-refused')
  expect(await findBarriers(page)).toEqual([])

  await field.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(6_000_000) })
  await upload.click()
  await expect(field).toHaveAccessibleDescription(/4 MB are the limit/)

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

test('an app’s logo is seen where it asks people', async ({ page, screenshots }) => {
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
  await page.getByLabel('New logo').setInputFiles(await draw('#0d9488'))
  await page.getByRole('button', { name: 'Upload' }).click()
  await expectShown(page.locator('form#picture img'))
  await page.goto(developer)
  await expectShown(page.getByRole('list', { name: 'OAuth apps' }).locator('img'))
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
  await expectShown(page.locator(`img[src^="/pictures/"]`))
  await screenshots('consent-with-logo')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a picture is sent and refused all the same', async ({ page }) => {
    await signUp(page)
    await page.goto('/account/profile')
    await page.getByLabel('New picture').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    })
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('This is no PNG, JPEG or WebP file')).toBeVisible()
    await page.getByLabel('New picture').setInputFiles(await draw('#b45309'))
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  })
})

test('no other site can send a picture in a person’s name', async ({ page, request, baseURL }) => {
  await signUp(page)
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await request.post(`${baseURL}/account/profile/picture`, {
    headers: { origin: 'https://evil.example', cookie: cookies },
    multipart: { picture: await draw('#000000') },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(403)
})
