import { findBarriers } from './support/accessibility'
import { awaken } from './support/palette'
import { expect, test } from './support/test'

test('an instance admin registers an API, changes it, rotates its secret, and deletes it', async ({
  page,
  context,
  signIn,
  screenshots,
}) => {
  // A retry finds the API that the first attempt created, so each attempt uses its own name.
  const mark = test.info().retry || ''
  const [name, host] = [`Shipping${mark}`, `shipping${mark}.example.com`]
  await signIn('ada')
  await page.goto('/admin/apis')
  await page.getByRole('button', { name: 'Register API' }).first().click()

  await page.getByLabel('Identifier').fill(`http://${host}`)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Name of scope 1').fill('openid')
  await page.getByLabel('Description of scope 1').fill('Ship the projects you choose')
  await page.getByLabel('What users select for scope 1').selectOption('Projects')
  await page.getByRole('button', { name: 'Register API' }).click()
  await expect(page.getByLabel('Identifier')).toHaveAccessibleDescription(/begins with https:/)
  await expect(page.getByLabel('Name of scope 1')).toHaveAccessibleDescription(/“openid” is reserved/)
  await expect(page.getByLabel('What users select for scope 1')).toHaveValue('PROJECTS')
  expect(await findBarriers(page)).toEqual([])
  await screenshots('apis/refused')

  await page.getByLabel('Identifier').fill(`https://${host}`)
  await page.getByLabel('Name of scope 1').fill(`shipping${mark}:write`)
  await page.getByRole('button', { name: 'Register API' }).click()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue(/^lk_aps_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Introspection endpoint' })).toHaveValue(
    /\/oauth\/token\/introspection$/,
  )
  await expect(page.getByText('"scopes_supported"')).toBeVisible()

  await awaken(page)
  await page.getByRole('button', { name: 'Add scope' }).click()
  await page.getByLabel('Name of scope 2').fill(`shipping${mark}:read`)
  await page.getByLabel('Description of scope 2').fill('See your parcels')
  await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('API saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Name of scope 2')).toHaveValue(`shipping${mark}:read`)
  await expect(page.getByLabel('What users select for scope 1')).toHaveValue('PROJECTS')

  await page.goto('/admin/apis')
  await awaken(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: `Copy identifier of ${name}`, exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`https://${host}`)
  await screenshots('apis/list')
  await page.goBack()

  await page.goto('/docs/scopes')
  const documented = page.getByRole('table', { name: `${name}: https://${host}` })
  await expect(documented.getByRole('row').filter({ hasText: `shipping${mark}:read` })).toContainText(
    'See your parcels',
  )
  expect(await findBarriers(page)).toEqual([])
  await screenshots('apis/docs')
  await page.goBack()
  await awaken(page)

  await page.getByRole('button', { name: 'Create secret' }).click()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue(/^lk_aps_/)
  const secrets = page.getByRole('table', { name: 'Client secrets' })
  await expect(secrets.getByRole('row')).toHaveCount(3)
  await secrets
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Revoke secret' }).click()
  await expect(secrets.getByRole('row')).toHaveCount(2)
  await screenshots('apis/settings')

  await page.getByRole('button', { name: 'Delete API' }).click()
  await page.getByLabel(`Type ${name} to confirm`).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API' }).click()
  await expect(page).toHaveURL(/\/admin\/apis$/)
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
})

test('each scope of an API is a compact row whose editor opens on demand or if the scope is invalid', async ({
  page,
  browser,
  baseURL,
  signIn,
  screenshots,
}) => {
  const mark = test.info().retry || ''
  const [name, prefix] = [`Parcels${mark}`, `parcels${mark}`]
  const scopes = Array.from(
    { length: 20 },
    (_, at) =>
      `${prefix}:part${at + 1} | projects | ${at === 4 ? 'high' : 'low'} | See part ${at + 1} of a parcel`,
  )
  await signIn('ada')
  // Without JavaScript, the scopes are the lines of a text area.
  const plain = await (await browser.newContext({ baseURL, javaScriptEnabled: false })).newPage()
  await plain.context().addCookies(await page.context().cookies())
  await plain.goto('/admin/apis/new')
  await plain.getByLabel('Identifier').fill(`https://${prefix}.example.com`)
  await plain.getByLabel('Name', { exact: true }).fill(name)
  const lines = plain.getByRole('textbox', { name: 'Scopes' })
  await lines.fill(scopes.join('\n').replace(`${prefix}:part2`, 'openid'))
  await plain.getByRole('button', { name: 'Register API' }).click()
  await expect(lines).toBeFocused()
  await expect(lines).toHaveAccessibleDescription(/“openid” is reserved/)
  await lines.fill(scopes.join('\n'))
  await plain.getByRole('button', { name: 'Register API' }).click()
  const id = await plain.getByRole('textbox', { name: 'API ID' }).inputValue()
  await plain.context().close()

  await page.goto(`/admin/apis/${id}`)
  await awaken(page)
  const rows = page.getByRole('group', { name: 'Scopes' }).getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await expect(rows.nth(4)).toContainText(`${prefix}:part5See part 5 of a parcelProjectsHigh`)
  await expect(page.getByLabel(/^Name of scope/).filter({ visible: true })).toHaveCount(0)
  await screenshots('apis/scopes')
  await rows.nth(4).locator('summary').click()
  const field = page.getByLabel('Name of scope 5')
  await expect(field).toBeVisible()
  await expect(page.getByLabel(/^Name of scope/).filter({ visible: true })).toHaveCount(1)
  expect(await findBarriers(page)).toEqual([])

  await field.fill('No name')
  await rows.nth(4).locator('summary').click()
  await expect(rows.nth(4)).toContainText('No name')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/“No name” is not a scope name/)
  await expect(page.getByLabel(/^Name of scope/).filter({ visible: true })).toHaveCount(1)
  await page.keyboard.press('End')
  await page.keyboard.type('s')
  await expect(field).toHaveAccessibleDescription(/“No name” is not a scope name/)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('apis/scope-refused')
  await field.fill(`${prefix}:fifth`)
  await page.getByRole('button', { name: 'Add scope' }).click()
  await expect(page.getByLabel('Name of scope 21')).toBeFocused()
  await page.getByRole('button', { name: 'Remove scope 21' }).click()
  await expect(rows.nth(19).locator('summary')).toBeFocused()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('API saved')).toBeVisible()
  await expect(rows.nth(4)).toContainText(`${prefix}:fifth`)
  await expect(page.getByLabel(/^Name of scope/).filter({ visible: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete API' }).click()
  await page.getByLabel(`Type ${name} to confirm`).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API' }).click()
  await expect(page).toHaveURL(/\/admin\/apis$/)
})

test('users who are not instance admins cannot open the API pages', async ({ page, signIn }) => {
  await signIn('grace')
  for (const path of ['/admin/apis', '/admin/apis/new']) {
    expect((await page.goto(path))?.status()).toBe(404)
  }
})
