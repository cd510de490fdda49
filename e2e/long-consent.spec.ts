import pg from 'pg'
import { startCallback } from './clients/callback'
import { createApp } from './clients/oauth-app'
import { findBarriers } from './support/accessibility'
import { tabTo } from './support/by-keyboard'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** The test uses its own instance, because so many choices would affect other tests. */
let product: OwnProduct
test.beforeAll(async () => {
  product = await makeOwnProduct()
  await product.start()
})
test.afterAll(() => product.stop())

/** 199 workspaces in addition to the user's own, and a project in each of the 200. */
const choices = [
  `WITH made AS (
     INSERT INTO workspaces (id, name, slug, updated_at)
     SELECT gen_random_uuid(), 'Team ' || n, 'team-' || n, now() FROM generate_series(1, 199) n RETURNING id)
   INSERT INTO workspace_members (workspace_id, user_id, role) SELECT made.id, users.id, 'MEMBER' FROM made, users`,
  `INSERT INTO projects (id, workspace_id, name, updated_at)
   SELECT gen_random_uuid(), id, 'Project of ' || name, now() FROM workspaces`,
]

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: product.databaseUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('a keyboard user selects among 400 workspaces and projects, and authorizes an app', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage()
  const { home } = await signUp(page, 'Karen Keys')
  const callback = await startCallback()
  const { clientId } = await createApp(page, {
    name: 'Typewriter',
    type: 'Native',
    redirectUris: [callback.uri],
    workspace: home.split('/').at(-1),
  })
  for (const statement of choices) await query(statement)

  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback.uri,
    response_type: 'code',
    scope: 'openid workspace:viewer project:viewer',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })

  // To allow full control of all choices, the user must confirm with a second click.
  await page.goto(`/oauth/auth?${asked}`.replace(/viewer/g, 'admin'))
  const selectAll = page.getByRole('button', { name: 'Select all' })
  const question = page.getByRole('button', { name: 'Allow full control of all 400?' })
  await selectAll.click()
  await expect(question).toBeFocused()
  await expect(page.getByText('0 selected', { exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(selectAll).toBeVisible()
  await selectAll.click()
  await question.click()
  await expect(page.getByText('200 selected', { exact: true })).toBeVisible()

  await page.goto(`/oauth/auth?${asked}`)
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
  await expect(page.getByText('0 selected', { exact: true })).toBeVisible()
  expect(await findBarriers(page)).toEqual([])

  // The list is a single tab stop. Arrow keys move through it.
  await tabTo(page, page.getByRole('checkbox').first())
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('checkbox').nth(9)).toBeFocused()
  await page.keyboard.press('End')
  await expect(box('Project of Team 199')).toBeFocused()
  await page.keyboard.press('Space')

  // The search field precedes the list. Enter does not submit the form, and the arrow key moves to the
  // results.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('searchbox', { name: 'Search by name' })).toBeFocused()
  await page.keyboard.type('team 150')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await expect(box('Team 150')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(box('Project of Team 150')).toBeChecked()
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible()
  await expect(page.getByText('Team 150 and Project of Team 199')).toBeVisible()

  const authorize = page.getByRole('button', { name: 'Authorize' })
  let stops = 0
  for (; stops < 10 && !(await authorize.evaluate((one) => one === document.activeElement)); stops++) {
    await page.keyboard.press('Tab')
  }
  expect(stops).toBeLessThanOrEqual(3)
  await page.keyboard.press('Enter')
  expect((await callback.answer).searchParams.get('code')).toBeTruthy()
  const rows = await query(
    `SELECT ARRAY(SELECT name FROM workspaces WHERE id = ANY (workspace_ids)) || ARRAY(SELECT name FROM projects
       WHERE id = ANY (project_ids)) AS names FROM authorizations`,
  )
  expect(rows).toEqual([{ names: ['Team 150', 'Project of Team 199'] }])
  await callback.close()
  await page.context().close()
})
