import { findBarriers } from './support/accessibility'
import { invite, join, signUp } from './support/sign-up'
import { expect, test } from './support/test'

const hook = 'https://hooks.example.invalid/latchkey'

test('an admin creates a webhook, tests it, changes it, and deletes it', async ({ page, screenshots }) => {
  const { home } = await signUp(page, 'Wanda Hook')
  const list = `${home}/settings/webhooks`
  await page.goto(`${home}/settings`)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('webhooks/empty')

  await page.getByRole('link', { name: 'New webhook' }).click()
  const url = page.getByRole('textbox', { name: 'URL' })
  const created = page.getByRole('checkbox', { name: 'project.created' })
  await url.fill('https://127.0.0.1/hook')
  await created.check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(url).toHaveAccessibleDescription(/not on the public internet/)
  await expect(url).toBeFocused()
  await expect(created).toBeChecked()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('webhooks/refused')
  await url.fill(hook)
  await created.uncheck()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByRole('group', { name: 'Events' })).toHaveAccessibleDescription(/at least one event/)
  await created.check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secretField = page.getByRole('textbox', { name: 'Signing secret' })
  await expect(secretField).toHaveValue(/^whsec_/)
  const secret = await secretField.inputValue()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhook created')
  await screenshots('webhooks/created')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('heading', { name: 'Webhook', level: 1 })).toBeVisible()
  await expect(page.getByText('No deliveries yet')).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  const log = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Send test event' }).click()
  await expect(log).toHaveCount(1)
  await log.locator('summary').click()
  await expect(log.getByText('"type": "webhook.test"')).toBeVisible()
  await log.getByRole('button', { name: 'Redeliver' }).click()
  await expect(log).toHaveCount(2)
  // No such host: the attempt fails, whenever the queue comes to it.
  await expect(async () => {
    await page.getByRole('link', { name: 'Refresh' }).click()
    await expect(log.last()).toContainText('Retrying', { timeout: 2_000 })
  }).toPass()
  const states = page.getByRole('list', { name: 'Filter by state' })
  await states.getByRole('link', { name: 'Delivered' }).click()
  await expect(page.getByText('No successful deliveries')).toBeVisible()
  await states.getByRole('link', { name: 'Pending' }).click()
  await expect(log).toHaveCount(2)
  await states.getByRole('link', { name: 'All' }).click()

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await expect(secretField).toHaveValue(/^whsec_/)
  await expect(secretField).not.toHaveValue(secret)
  await expect(page.getByText('The previous secret also signs messages')).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('webhooks/webhook')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(secretField).toHaveCount(0)

  await url.fill(`${hook}/2`)
  await page.getByRole('checkbox', { name: 'token.*' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Webhook saved')).toBeVisible()
  await page.getByRole('button', { name: 'Disable webhook' }).click()
  await expect(page.getByRole('button', { name: 'Enable webhook' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send test event' })).toHaveCount(0)
  await page.goto(list)
  await expect(page.getByRole('row', { name: `${hook}/2` })).toContainText(
    /project\.created, token\.\*.*Disabled/,
  )
  expect(await findBarriers(page)).toEqual([])
  await screenshots('webhooks/list')

  await page.getByRole('link', { name: `${hook}/2` }).click()
  await page.getByRole('button', { name: 'Enable webhook' }).click()
  await expect(page.getByRole('button', { name: 'Send test event' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page
    .getByRole('dialog', { name: 'Delete this webhook?' })
    .getByRole('button', { name: 'Delete webhook' })
    .click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})

test('a workspace token is shown once, listed, and gone once revoked', async ({ page, screenshots }) => {
  const { home } = await signUp(page, 'Toni Token')
  await page.goto(`${home}/settings`)
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await page.getByRole('link', { name: 'New token' }).click()
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

test('users who are not admins of the workspace find neither tokens nor webhooks', async ({
  page,
  context,
}) => {
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
  await expect(page.getByRole('heading', { name: 'General', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Tokens' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
})
