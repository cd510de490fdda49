import { rawGet } from './support/raw-get'
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

test('no malformed address makes the server stumble @mounts', async ({ baseURL, context, signIn }) => {
  await signIn('ada')
  const paths = [
    ...['/%', '/%ZZ', '/%00', '/workspaces/%25ZZ', '/workspaces/a%00b', '/workspaces/%ff', '/account/%00'],
    ...['/oauth/%ZZ', '/oauth/auth?client_id=%ZZ', '/oauth/auth?client_id=%00', '/oauth/register/%00'],
    ...['/graphql/v2?%ZZ', '/login?next=%E0%A4%A', '/.well-known/oauth-authorization-server/%ZZ'],
  ]
  for (const path of paths) {
    // Not the browser's: it would tidy the address first.
    const { status } = await rawGet(String(baseURL), path, await context.cookies())
    expect(status, path).toBeGreaterThanOrEqual(200)
    expect(status, path).toBeLessThan(500)
  }
})
