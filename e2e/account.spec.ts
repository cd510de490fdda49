import { findBarriers } from './support/accessibility'
import { awaken } from './support/palette'
import { takeRowAction } from './support/row-menu'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

const ask = { data: { query: '{ me { id } }' } }

test('an account token is shown once, works with the API, and stops working when revoked', async ({
  page,
  request,
  signIn,
  screenshots,
}) => {
  await signIn('grace')
  await page.goto('/account/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Token name').fill('Night build')
  await expect(page.getByLabel('Workspace').getByRole('option').first()).toHaveText('All workspaces')
  await expect(page.getByLabel('Expires')).toBeVisible()
  await page.getByRole('button', { name: 'Create token' }).click()
  const field = page.getByRole('textbox', { name: 'Token', exact: true })
  const token = await field.inputValue()
  await expect(field).toHaveAttribute('readonly')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token created')
  await screenshots('token-created')
  const headers = { authorization: `Bearer ${token}` }
  expect(await (await request.post('/graphql/v2', { ...ask, headers })).json()).toHaveProperty('data.me.id')

  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('table')).toContainText(`lk_pat_…${token.slice(-4)}`)
  expect(await page.content()).not.toContain(token)
  await screenshots('tokens')
  await awaken(page)
  const menu = page.getByRole('button', { name: 'Actions for Night build' })
  await menu.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Revoke Night build' })).toBeFocused()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Revoke Night build?' })
  await expect(dialog).toContainText(
    `Anything that uses lk_pat_…${token.slice(-4)} stops working immediately.`,
  )
  await screenshots('token-revoke')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(menu).toBeFocused()
  await takeRowAction(page, 'Night build', 'Revoke Night build')
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('Night build')).toHaveCount(0)
  const refused = await (await request.post('/graphql/v2', { ...ask, headers })).json()
  expect(refused).toHaveProperty('errors.0.extensions.code', 'UNAUTHENTICATED')
})

test('a user creates a token for one workspace', async ({ page, signIn }) => {
  await signIn('grace')
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Acme only')
  await page.getByLabel('Workspace').selectOption('Acme')
  await page.getByLabel('Expires').selectOption('Never')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('textbox', { name: 'Token', exact: true })).toHaveValue(/^lk_wst_/)
})

test('a user creates a token for one project, sees it listed with the project, and revokes it', async ({
  page,
  signIn,
}) => {
  await signIn('ada')
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Deploy the website')
  await page.getByLabel('Workspace').selectOption('Acme / Website')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('textbox', { name: 'Token', exact: true })).toHaveValue(/^lk_pjt_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('row', { name: /Deploy the website/ })).toContainText('Acme / Website')
  await takeRowAction(page, 'Deploy the website', 'Revoke Deploy the website')
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('Deploy the website')).toHaveCount(0)
})

test('a read-only token cannot write', async ({ page, request }) => {
  const { email } = await signUp(page)
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Reader')
  await page.getByLabel('Role').selectOption({ label: 'Viewer: read only' })
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
  const send = async (query: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await request.post('/graphql/v2', { data: { query }, headers })).json()
  }
  expect(await send('{ me { email } }')).toHaveProperty('data.me.email', email)
  expect(await send('mutation { workspaceCreate(input: { name: "Mine" }) { id } }')).toHaveProperty(
    'errors.0.extensions.code',
    'FORBIDDEN',
  )
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('row', { name: /Reader/ })).toContainText('Viewer')
})

test('a user creates, renames, finds, deletes, and restores a project', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/globex')
  await page.getByRole('link', { name: 'New project' }).click()
  await page.getByLabel('Project name').fill('Lander')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name: 'Lander' })).toBeVisible()
  await screenshots('project')
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Project name').fill('Lander Two')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Lander Two' })).toBeVisible()
  await page.goto('/workspaces/globex/projects')
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('two')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Projects' }).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('link', { name: /Lander Two/ }).click()
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Lander Two')
  await dialog.getByRole('button', { name: 'Delete project' }).click()
  await expect(page).toHaveURL(/\/workspaces\/globex\/projects$/)
  await expect(page.getByRole('link', { name: /Lander Two/ })).toHaveCount(0)
  await page
    .getByRole('table', { name: 'Recently deleted projects' })
    .getByRole('button', { name: 'Restore Lander Two' })
    .click()
  await expect(page.getByText('Project restored')).toBeVisible()
  await page.getByRole('link', { name: /Lander Two/ }).click()
  await expect(page.getByRole('heading', { name: 'Lander Two' })).toBeVisible()
})

test('a guest sees only the project that a workspace shares with them', async ({ page, signIn }) => {
  await signIn('edsger')
  await page.goto('/workspaces/globex')
  await expect(page.getByRole('list', { name: 'Projects' }).getByRole('listitem')).toHaveText([/Compiler/])
  await expect(page.getByRole('link', { name: 'Members' })).toHaveCount(0)
  expect((await page.goto('/workspaces/globex/members'))?.status()).toBe(404)
})
