import { findBarriers } from './support/accessibility'
import { invite, join, signUp } from './support/sign-up'
import { expect, test } from './support/test'

const hook = 'https://hooks.example.invalid/latchkey'

test('a workspace token is shown once, listed, and gone once revoked', async ({ page, screenshots }) => {
  const { home } = await signUp(page, 'Toni Token')
  await page.goto(`${home}/settings`)
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Token name' }).fill('Nightly report')
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const row = page.getByRole('row', { name: 'Nightly report' })
  await expect(row).toContainText(`…${token.slice(-4)}`)
  await expect(row).toContainText('Workspace')
  await expect(row).toContainText('Viewer')
  await expect(row).toContainText('by Toni Token')
  expect(await page.content()).not.toContain(token)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('workspace-tokens/list')
  await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
})

test('who does not administer the workspace finds neither tokens nor webhooks', async ({ page, context }) => {
  const member = await signUp(page, 'Mika Member')
  const cookies = await context.cookies()
  await context.clearCookies()
  const { home } = await signUp(page, 'Alma Admin')
  const invitation = await invite(page, home, member.email, 'Member')
  await page.goto(`${home}/settings/webhooks/new`)
  await page.getByRole('textbox', { name: 'URL' }).fill(hook)
  await page.getByRole('checkbox', { name: 'app.*' }).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('heading', { name: 'Webhook', level: 1 })).toBeVisible()
  const webhook = new URL(page.url()).pathname

  await context.clearCookies()
  await context.addCookies(cookies)
  await join(page, invitation)
  const settings = `${home}/settings`
  const pages = ['tokens', 'tokens/new', 'webhooks', 'webhooks/new'].map((path) => `${settings}/${path}`)
  for (const path of [...pages, webhook]) {
    expect((await page.goto(path))?.status(), path).toBe(404)
  }
  // An admin of another workspace does not reach it through their own either.
  const own = webhook.replace(home, member.home)
  expect((await page.goto(own))?.status(), own).toBe(404)
  await page.goto(settings)
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Tokens' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
})
