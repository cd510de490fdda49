import { letAgentIn } from './clients/agent'
import { expect, test } from './support/test'

test('the console shows how to connect an agent, and lists the agent after it connects', async ({
  page,
  signIn,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('grace')
  await page.goto('/account/agents')
  await page.getByRole('button', { name: 'Copy for Claude Code' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `claude mcp add --transport http latchkey ${baseURL}/mcp`,
  )
  await expect(page.getByRole('link', { name: 'Open Cursor' })).toHaveAttribute('href', /^cursor:\/\//)
  const name = `Arriving agent ${Date.now()}`
  await expect(page.getByText(name)).toHaveCount(0)

  const browser = await context.newPage()
  await letAgentIn(browser, baseURL, { name, scope: 'openid workspace:viewer', workspace: 'Acme' })
  await page.bringToFront()
  await expect(page.getByRole('status').getByText(name)).toBeVisible({ timeout: 15_000 })
})
