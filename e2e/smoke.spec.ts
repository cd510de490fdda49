import { expect, test } from './support/test'

test('the product is alive and ready @mounts', async ({ request }) => {
  expect(await (await request.get('/healthz')).json()).toEqual({ status: 'ok' })
  expect(await (await request.get('/readyz')).json()).toEqual({ status: 'ready' })
})

test('a demo person signs in with the password the launcher was given', async ({
  page,
  signIn,
  screenshots,
}) => {
  await page.goto('/login')
  await screenshots('login')
  await signIn('ada', { fresh: true })
  await expect(page).not.toHaveURL(/login/)
})

test('an address that does not exist has a page that says so', async ({ page }) => {
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading')).toBeVisible()
})
