import { expect, test } from './support/test'

/** Tests the explorer as a signed-in user, and checks which data reaches the browser. */
const run = 'Execute query (Ctrl-Enter)'

test('a signed-in user runs, saves, and reopens a query in the explorer, and no token reaches the browser', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  const seen: string[] = []
  page.on('request', (request) => {
    seen.push(JSON.stringify(request.headers()), request.postData() ?? '')
  })
  page.on('response', async (response) => {
    seen.push(JSON.stringify(response.headers()))
    if (response.url().includes('/graphql/')) seen.push(await response.text().catch(() => ''))
  })
  await page.goto('/graphql/explorer')
  await expect(page.getByText('Runs as Ada Lovelace')).toBeVisible()
  // The editor shows the operation's name on the tab.
  await expect(page.getByRole('tab', { name: 'Me', exact: true })).toBeVisible()
  await expect(page.locator('.graphiql-query-editor .cm-def')).toHaveText('Me')
  // The page runs its query when it opens, and shows the result.
  const result = page.locator('.result-window')
  await expect(result).toContainText('workspaces')
  await expect(result).toContainText('Acme')
  await screenshots('explorer/result')

  await page.getByRole('combobox', { name: 'Examples' }).selectOption('currentToken')
  await expect(page.getByRole('tab', { name: 'CurrentToken' })).toBeVisible()
  await page.getByRole('button', { name: run }).click()
  await expect(result).toContainText('GraphQL explorer')
  await page.getByRole('button', { name: 'Save query' }).click()
  await expect(page.getByRole('textbox', { name: 'Query name' })).toHaveValue('CurrentToken')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.reload()
  await page.getByRole('combobox', { name: 'Saved queries' }).selectOption('CurrentToken')
  await expect(page.locator('.graphiql-query-editor')).toContainText('currentToken')

  const kept = await page.evaluate(
    () => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
  )
  expect([...seen, kept, await page.content()].join('\n')).not.toMatch(/lk_pat_\w{20}/)
})

test('the explorer stacks the editor and the result on a phone', async ({ page, signIn, screenshots }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn('ada')
  await page.goto('/graphql/explorer')
  await expect(page.locator('.graphiql-query-editor .cm-def')).toHaveText('Me')
  await page.getByRole('button', { name: run }).click()
  const result = page.locator('.result-window')
  await expect(result).toContainText('Acme')
  const [above, below] = [
    await page.locator('.graphiql-query-editor').boundingBox(),
    await result.boundingBox(),
  ]
  expect(Number(below?.y)).toBeGreaterThan(Number(above?.y) + Number(above?.height) - 1)
  expect(Number(below?.height)).toBeGreaterThan(120)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
  await screenshots('explorer/phone')
})

test('the explorer shows a signed-out user a sign-in link that leads back to the explorer', async ({
  page,
}) => {
  await page.goto('/graphql/explorer')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login\?next=%2Fgraphql%2Fexplorer/)
})

test('no other site can frame the explorer or send requests through it @mounts', async ({
  page,
  signIn,
  request,
  baseURL,
}) => {
  await signIn('ada')
  const headers = (await request.get('/graphql/explorer')).headers()
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-frame-options']).toBe('DENY')
  const ask = (origin: string) =>
    page.request.post('/graphql/explorer/ask', {
      headers: { origin, 'content-type': 'application/json' },
      data: { query: '{ me { email } }' },
    })
  expect((await ask('https://evil.example')).status()).toBe(403)
  expect(await (await ask(String(baseURL))).json()).toMatchObject({
    data: { me: { email: 'ada@example.com' } },
  })
})
