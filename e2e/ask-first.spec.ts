import { askPageIn, idIn, letAgentIn } from './clients/agent'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

const scope = 'openid workspace:admin'

test('an agent that wants to delete a project waits for its person’s word @mounts', async ({
  page,
  baseURL,
  screenshots,
}) => {
  const { home } = await signUp(page, 'Ines Asked')
  await page.goto(`${home}/settings/apps`)
  const rule = page.getByRole('region', { name: 'Ask first' })
  await rule.getByRole('checkbox', { name: 'Delete a project or an environment' }).check()
  await rule.getByRole('button', { name: 'Save what is asked first' }).click()
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
  await expect(page.getByText('Tidy agent asks for your approval').first()).toBeVisible()
  await page.getByRole('link', { name: 'View' }).first().click()
  await expect(page).toHaveURL(askPageIn(refused))
  await expect(page.getByText('Old things')).toBeVisible()
  await expect(page.getByText('Registered itself, not verified')).toBeVisible()
  await screenshots('ask-first')
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('You denied it. Nothing was done.')).toBeVisible()
  expect(await agent.callTool('delete_project', { id })).toContain('denied')

  const other = await agent.callTool('create_project', { workspaceId, name: 'Older things' })
  const otherId = idIn(other)
  await page.goto(askPageIn(await agent.callTool('delete_project', { id: otherId })))
  await page.getByRole('button', { name: 'Approve once' }).click()
  await expect(page.getByText('You approved it once.')).toBeVisible()
  expect(await agent.callTool('delete_project', { id: otherId })).toContain('deleted')
  await page.goto('/account/apps')
  const actions = page.getByRole('list', { name: 'Last actions' })
  await expect(actions.getByText('Deleted the project')).toBeVisible()
})

test('the answer takes no script, and nobody else sees the question', async ({ page, browser, baseURL }) => {
  const { home } = await signUp(page, 'Nora Plain')
  await page.goto(`${home}/settings/apps`)
  const rule = page.getByRole('region', { name: 'Ask first' })
  await rule.getByRole('checkbox', { name: 'Delete a project or an environment' }).check()
  await rule.getByRole('button', { name: 'Save what is asked first' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  const agent = await letAgentIn(page, baseURL, { name: 'Plain agent', scope, workspace: 'Nora Plain' })
  const listed = await agent.callTool('list_workspaces')
  const workspaceId = idIn(listed)
  const made = await agent.callTool('create_project', { workspaceId, name: 'Plain' })
  const id = idIn(made)
  const question = askPageIn(await agent.callTool('delete_project', { id }))

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const withoutScript = await plain.newPage()
  await withoutScript.goto(question)
  await withoutScript.getByRole('button', { name: 'Approve for an hour' }).click()
  await expect(withoutScript.getByText('You approved it for an hour.')).toBeVisible()
  await plain.close()
  expect(await agent.callTool('delete_project', { id })).toContain('deleted')

  await page.context().clearCookies()
  await signUp(page, 'Somebody Else')
  expect((await page.goto(question))?.status()).toBe(404)
})
