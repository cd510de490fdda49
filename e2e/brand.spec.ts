import { buttonLooks } from '@/lib/features/pictures/login-button'
import { findBarriers } from './support/accessibility'
import { expect, test } from './support/test'

test('the docs show the sign-in button, which other sites can embed', async ({
  page,
  screenshots,
  request,
}) => {
  await page.goto('/docs/web-apps')
  await page.getByRole('main').getByRole('link', { name: 'sign-in button' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in button' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('img', { name: 'Login with Latchkey' })).toHaveCount(6)
  await screenshots('brand')
  expect(await findBarriers(page)).toEqual([])

  const snippets = await page.getByRole('main').locator('pre').allInnerTexts()
  expect(snippets).toHaveLength(Object.keys(buttonLooks).length)
  // Show the snippets on another site (127.0.0.1), in a document without this instance's content security
  // policy.
  await page.goto(`http://127.0.0.1:${new URL(page.url()).port}/healthz`)
  await page.setContent(snippets.join('\n'))
  for (const image of await page.getByRole('link', { name: 'Login with Latchkey' }).locator('img').all()) {
    const drawn = () => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)
    await expect.poll(drawn).toBe(Number(await image.getAttribute('width')))
  }

  const answer = await request.get('/brand/login-with-light.svg')
  expect(answer.headers()).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  expect((await request.get('/brand/login-with-pink.svg')).status()).toBe(404)
})

test('the sign-in page links to an SVG icon', async ({ page, request }) => {
  await page.goto('/login')
  const icon = await page.locator('link[rel="icon"]').getAttribute('href')
  expect(icon).toBe('/brand/icon.svg')
  const answer = await request.get(icon ?? '')
  expect(answer.status()).toBe(200)
  expect(answer.headers()['content-type']).toMatch(/^image\/svg\+xml/)
})

test('public files are served with their content type and can be cached for an hour @mounts', async ({
  request,
}) => {
  for (const [file, type] of [
    ['favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)/],
    ['logo.svg', /^image\/svg\+xml/],
    ['robots.txt', /^text\/plain/],
  ] as const) {
    const answer = await request.get(`/${file}`)
    expect(answer.status(), file).toBe(200)
    expect(answer.headers()['content-type'], file).toMatch(type)
    expect(answer.headers(), file).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
  }
})
