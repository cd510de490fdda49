import { environment } from './support/environment'
import { rawGet } from './support/raw-get'
import { expect, signInByForm, test } from './support/test'
import { users } from './support/users'

test('the server is healthy and ready @mounts', async ({ request }) => {
  expect(await (await request.get('/healthz')).json()).toEqual({ status: 'ok' })
  expect(await (await request.get('/readyz')).json()).toEqual({ status: 'ready' })
})

test('a demo user signs in with the configured demo password', async ({ page, screenshots }) => {
  await page.goto('/login')
  await screenshots('login')
  await signInByForm(page, users.ada.email, environment().demoPassword)
  await expect(page).not.toHaveURL(/login/)
})

test('an unknown URL shows the not-found page', async ({ page }) => {
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading')).toBeVisible()
})

test('HTML responses have a content security policy, regardless of the path @mounts', async ({ request }) => {
  const paths = [
    ...['/login', '/docs', '/graphql/explorer', '/no-such-page', '/no-such.png', '/account/x.html'],
    ...['/healthz/x', '/.well-known/nothing.json', '/oauth', '/_next/nothing', '/a%20b.js'],
  ]
  let pages = 0
  for (const path of paths) {
    // A browser can prefetch a page and show it later, so prefetched pages need the policy as well.
    const answer = await request.get(path, { headers: { accept: 'text/html', purpose: 'prefetch' } })
    const { 'content-type': type = '', 'content-security-policy': policy } = answer.headers()
    if (!type.startsWith('text/html')) continue
    pages++
    expect(policy, path).toMatch(/script-src 'self' 'nonce-|default-src 'none'/)
  }
  expect(pages).toBeGreaterThan(8)
})

test('malformed URLs cause no server error @mounts', async ({ baseURL, context, signIn }) => {
  await signIn('ada')
  const paths = [
    ...['/%', '/%ZZ', '/%00', '/workspaces/%25ZZ', '/workspaces/a%00b', '/workspaces/%ff', '/account/%00'],
    ...['/oauth/%ZZ', '/oauth/auth?client_id=%ZZ', '/oauth/auth?client_id=%00', '/oauth/register/%00'],
    ...['/graphql/v2?%ZZ', '/login?next=%E0%A4%A', '/.well-known/oauth-authorization-server/%ZZ'],
  ]
  for (const path of paths) {
    // A browser would normalize the address before sending it.
    const { status } = await rawGet(String(baseURL), path, await context.cookies())
    expect(status, path).toBeGreaterThanOrEqual(200)
    expect(status, path).toBeLessThan(500)
  }
})

test('the demo mailbox is not available to other machines @mounts', async ({ request }) => {
  expect((await request.get('/dev/mailbox')).status()).toBe(200)
  // Requests that a local proxy forwards for another machine, and a browser request after DNS rebinding.
  const foreign: Record<string, string>[] = [
    { 'x-forwarded-for': '192.168.1.20' },
    { 'x-real-ip': '192.168.1.20' },
    { host: 'evil.example', 'x-latchkey-this-machine': 'yes' },
  ]
  for (const headers of foreign) {
    const answer = await request.get('/dev/mailbox', { headers })
    expect(answer.status(), JSON.stringify(headers)).toBe(404)
  }
})

test('the server has no image optimizer that could request internal URLs @mounts', async ({ request }) => {
  const answer = await request.get('/_next/image?url=%2Fhealthz&w=64&q=75')
  expect(answer.status()).toBe(404)
})
