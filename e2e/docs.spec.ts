import { docsNavigation } from '@/lib/features/docs/navigation'
import { makeOwnProduct } from './support/own-product'
import { expect, test } from './support/test'

const pages = docsNavigation.flatMap((group) => group.pages)

test('every docs page is marked as current in the docs navigation and fits a phone screen', async ({
  page,
  screenshots,
}) => {
  const usual = page.viewportSize()
  for (const { title, href } of pages) {
    await page.goto(href)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current]'),
    ).toHaveText(title)
    await screenshots(`docs/${title.toLowerCase().replaceAll(' ', '-')}`)
    await page.setViewportSize({ width: 375, height: 812 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, href).toBeLessThanOrEqual(0)
    if (usual) await page.setViewportSize(usual)
  }
})

test('every link in the docs leads to an existing page and section', async ({ page, request }) => {
  const links = new Set<string>()
  for (const { href } of pages) {
    await page.goto(href)
    const targets = page.locator('main a[href^="/"], nav a[href^="/"], a[href^="#"]')
    for (const target of await targets.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href') ?? ''),
    )) {
      links.add(new URL(target, page.url()).href)
    }
  }
  const documents = new Map<string, string>()
  for (const link of links) {
    const { origin, pathname, hash } = new URL(link)
    if (!documents.has(pathname)) {
      const answer = await request.get(origin + pathname)
      expect(answer.status(), pathname).toBe(200)
      documents.set(pathname, await answer.text())
    }
    if (hash) expect(documents.get(pathname), link).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
  }
  expect(documents.size).toBeGreaterThan(pages.length)
})

test('users can search the docs without JavaScript and navigate them on a phone', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) })
  const page = await context.newPage()
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('rate limited')
  await page.keyboard.press('Enter')
  const results = page.getByRole('list', { name: 'Results' })
  await expect(results.getByRole('link', { name: 'RATE_LIMITED' })).toHaveAttribute(
    'href',
    '/docs/errors#RATE_LIMITED',
  )
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/docs/webhooks')
  await page.locator('header summary').click()
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Errors')
  await context.close()
})

test('the docs highlight code and copy it unchanged', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/web-apps')
  const block = page.getByRole('figure').filter({ hasText: 'app.mjs' })
  await expect(block.locator('.hljs-keyword').first()).toBeVisible()
  await block.getByRole('button', { name: 'Copy app.mjs' }).click()
  await expect(block.getByRole('status')).toHaveText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${await block.locator('pre').textContent()}\n`)
  expect(copied).toContain("import * as oidc from 'openid-client'")
})

test('the docs use the theme chosen in the console', async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'latchkey.theme', value: 'dark', url: String(baseURL) }])
  await page.goto('/docs')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the server returns the docs as Markdown for .md URLs and if the Accept header prefers Markdown @mounts', async ({
  request,
  baseURL,
}) => {
  const markdown = (path: string) => request.get(`${path}.md`)
  const listed = await (await request.get('/llms.txt')).text()
  const addresses = [...listed.matchAll(/\((\S+\.md)\)/g)].map(([, address]) => String(address))
  expect(addresses.length).toBeGreaterThan(15)
  for (const address of addresses) {
    const answer = await request.get(address)
    expect([address, answer.status(), answer.headers()['content-type']]).toEqual([
      address,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(await answer.text()).toMatch(/^# /)
  }
  const asked = await request.get('/docs/agents', { headers: { accept: 'text/markdown, text/html;q=0.5' } })
  expect(await asked.text()).toBe(await (await markdown('/docs/agents')).text())
  const page = await request.get('/docs/agents', { headers: { accept: 'text/html' } })
  expect(page.headers()['content-type']).toContain('text/html')
  expect((await markdown('/docs/nothing')).status()).toBe(404)

  expect(await (await request.get('/schema.graphql')).text()).toContain('type Query {')
  expect((await (await request.get('/mcp/server.json')).json()).remotes[0].url).toBe(`${baseURL}/mcp`)
})

test('the OpenAPI document contains this server’s URL', async ({ request, baseURL }) => {
  const answer = await request.get('/openapi.json')
  expect(answer.headers()).toMatchObject({
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  })
  const document = await answer.json()
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('2.0.0')
  expect(document.servers).toEqual([{ url: baseURL }])
})

test('the server builds the docs search index before the first search', async () => {
  const product = await makeOwnProduct()
  try {
    const { output } = await product.start({ LOG_LEVEL: 'debug' })
    await expect.poll(output, { timeout: 30_000 }).toContain('the docs are searchable')
    const found = await (await fetch(`${product.url}/docs/search?q=idempotency`)).text()
    expect(found).toMatch(/<mark[^>]*>idempotency/i)
  } finally {
    await product.stop()
  }
})
