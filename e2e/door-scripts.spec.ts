import type { Page } from '@playwright/test'
import { withoutFrameworkScripts } from '@/app/door/page-frame'
import { addressRules } from '@/lib/base/http/addresses'
import { openAddresses } from './pages/open-addresses'
import { expect, test } from './support/test'

/** What a browser finds in a page: whatever runs or fetches a script, its style sheets, and what it shows. */
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
    for (const each of running) each.remove()
    return { scripts, sheets, shown: found.body.innerHTML }
  }, html)

const door = addressRules.filter(({ withoutScripts }) => withoutScripts).map(({ path }) => path)
const pages = openAddresses.filter(({ route }) => door.some((path) => `${route}/`.startsWith(`${path}/`)))

/** What the sign-in page has of ours, and what the docs have: it copies code, and measures tables. */
const own = ['/passkey.js', '/password.js']
const inDocs = ['/copy.js', '/scroll.js']

test('pages at the door and of the docs are sent without Next’s scripts, and work', async ({
  page,
  request,
}) => {
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
  await expect(page.getByText('The email or the password is not right.')).toBeVisible()
})

test('what takes them out knows all that this version of Next puts into a page, and takes nothing else', async ({
  page,
  request,
}) => {
  await page.goto('/login')
  const sent = await (await request.get('/graphql/explorer')).text()
  const before = await read(page, sent)
  expect(before.scripts).toContain('inline')
  expect(before.scripts.filter((script) => script.startsWith('/_next/'))).not.toEqual([])
  expect(await read(page, withoutFrameworkScripts(sent))).toEqual({ ...before, scripts: [] })
})
