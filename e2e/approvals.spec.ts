import { askPageIn, idIn, letAgentIn } from './clients/agent'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

const scope = 'openid workspace:admin'

test('an agent deletes a project only after its user approves', async ({ page, baseURL, screenshots }) => {
  const { home } = await signUp(page, 'Ines Asked')
  await page.goto(`${home}/settings/apps`)
  const rule = page.getByRole('region', { name: 'Required approvals' })
  await rule.getByRole('checkbox', { name: 'Delete a project or an environment' }).check()
  await rule.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(rule.getByRole('checkbox', { name: 'Delete a project or an environment' })).toBeChecked()
  await expect(rule.getByRole('checkbox', { name: 'Read the values of variables' })).not.toBeChecked()

  const agent = await letAgentIn(page, baseURL, { name: 'Tidy agent', scope, workspace: 'Ines Asked' })
  const workspaces = await agent.callTool('list_workspaces')
  const workspaceId = idIn(workspaces)
  const made = await agent.callTool('create_project', { workspaceId, name: 'Old things' })
  const id = idIn(made)

  const refused = await agent.callTool('delete_project', { id })
  expect(refused).toContain('APPROVAL_REQUIRED')
  await page.goto('/account/notifications')
  await expect(page.getByText('Tidy agent requests your approval').first()).toBeVisible()
  await page.getByRole('link', { name: 'View' }).first().click()
  await expect(page).toHaveURL(askPageIn(refused))
  await expect(page.getByRole('heading', { name: 'Delete a project' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Old things' })).toBeVisible()
  await expect(page.getByText(String(id)).first()).toBeVisible()
  await expect(page.getByText('Self-registered, not verified')).toBeVisible()
  await screenshots('approval')
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('You denied this request. Nothing was changed.')).toBeVisible()
  expect(await agent.callTool('delete_project', { id })).toContain('denied')

  const other = await agent.callTool('create_project', { workspaceId, name: 'Older things' })
  const otherId = idIn(other)
  await page.goto(askPageIn(await agent.callTool('delete_project', { id: otherId })))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('You approved this action once.')).toBeVisible()
  expect(await agent.callTool('delete_project', { id: otherId })).toContain('deleted')
  await page.goto('/account/apps')
  const actions = page.getByRole('list', { name: 'Recent activity' })
  await expect(actions.getByText('Deleted the project')).toBeVisible()
})

test('a user approves an agent’s request without JavaScript, and another user cannot open the request', async ({
  page,
  browser,
  baseURL,
}) => {
  const { home } = await signUp(page, 'Nora Plain')
  await page.goto(`${home}/settings/apps`)
  const rule = page.getByRole('region', { name: 'Required approvals' })
  await rule.getByRole('checkbox', { name: 'Delete a project or an environment' }).check()
  await rule.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  const agent = await letAgentIn(page, baseURL, { name: 'Plain agent', scope, workspace: 'Nora Plain' })
  const listed = await agent.callTool('list_workspaces')
  const workspaceId = idIn(listed)
  const made = await agent.callTool('create_project', { workspaceId, name: 'Plain' })
  const id = idIn(made)
  const request = askPageIn(await agent.callTool('delete_project', { id }))

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const withoutScript = await plain.newPage()
  await withoutScript.goto(request)
  await withoutScript.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(withoutScript.getByText('You approved this action once.')).toBeVisible()
  await plain.close()
  expect(await agent.callTool('delete_project', { id })).toContain('deleted')

  await page.context().clearCookies()
  await signUp(page, 'Another User')
  expect((await page.goto(request))?.status()).toBe(404)
})
