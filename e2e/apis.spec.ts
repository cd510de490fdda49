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

test('users who are not instance admins cannot open the API pages', async ({ page, signIn }) => {
  await signIn('grace')
  for (const path of ['/admin/apis', '/admin/apis/new']) {
    expect((await page.goto(path))?.status()).toBe(404)
  }
})
