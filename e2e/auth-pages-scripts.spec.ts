import type { Page } from '@playwright/test'
import { addressRules } from '@/lib/base/http/addresses'
import { openAddresses } from './pages/open-addresses'
import { expect, test } from './support/test'

/** Returns the scripts and style sheets that a browser finds in a page. */
const read = (page: Page, html: string) =>
  page.evaluate((text) => {
    const found = new DOMParser().parseFromString(text, 'text/html')
    const running = [
      ...found.querySelectorAll('script, link[as=script], link[rel=modulepreload], link[href*=".js"]'),
    ]
    const scripts = running.map((each) => each.getAttribute('src') ?? each.getAttribute('href') ?? 'inline')
    const sheets = [...found.querySelectorAll('link[rel=stylesheet]')].map((each) =>
      each.getAttribute('href'),
    )
    return { scripts, sheets }
  }, html)

const withoutScripts = addressRules.filter((rule) => rule.withoutScripts).map(({ path }) => path)
const pages = openAddresses.filter(({ route }) =>
  withoutScripts.some((path) => `${route}/`.startsWith(`${path}/`)),
)

/**
 * The scripts that auth pages can load. The scripts in the docs, listed below, copy code and measure tables.
 */
const own = ['/passkey.js', '/password.js', '/missing.js']
const inDocs = ['/copy.js', '/scroll.js']

test('auth pages and docs work without scripts from Next.js', async ({ page, request }) => {
  await page.goto('/login')
  for (const { at, name } of pages) {
    const answer = await request.get(at({} as never))
    const { scripts, sheets } = await read(page, await answer.text())
    expect(
      scripts.filter((script) => ![...own, ...inDocs].includes(script)),
      name,
    ).toEqual([])
    expect(sheets, name).not.toEqual([])
  }
  expect(
    await page.evaluate(() => [...document.scripts].map((script) => script.getAttribute('src'))),
  ).toEqual(own)
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('The email or password is incorrect.')).toBeVisible()
})

test('auth pages have the same style sheets, fonts, and meta tags as pages that Next.js renders', async ({
  page,
  request,
}) => {
  await page.goto('/login')
  const sharedTags = async (path: string) =>
    page.evaluate(
      (html) => {
        const { head } = new DOMParser().parseFromString(html, 'text/html')
        const shared = head.querySelectorAll(
          'link[rel=stylesheet], link[as=font], meta[charset], meta[name=viewport], meta[name=theme-color], meta[name=color-scheme]',
        )
        // Next.js pages repeat their scripts' nonce in these tags.
        for (const tag of shared) tag.removeAttribute('nonce')
        return [...shared].map((tag) => tag.outerHTML)
      },
      await (await request.get(path)).text(),
    )
  const byNext = await sharedTags('/no-such-page')
  expect(byNext.length).toBeGreaterThan(4)
  expect(await sharedTags('/login')).toEqual(byNext)
})
