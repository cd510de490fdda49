import { findBarriers } from './support/accessibility'
import { expect, test } from './support/test'

test('a required field in the console shows an error until it has a value', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/settings/developer/new')
  const name = page.getByRole('textbox', { name: 'App name' })
  const uris = page.getByRole('textbox', { name: 'Redirect URIs' })
  await page.getByRole('button', { name: 'Create app' }).click()
  await expect(name).toBeFocused()
  for (const field of [name, uris]) await expect(field).toHaveAccessibleDescription(/Fill in this field\./)
  await screenshots('missing-field')
  expect(await findBarriers(page)).toEqual([])
  await name.fill('Terminal')
  await expect(name).not.toHaveAccessibleDescription(/Fill in/)
  await expect(page.getByText('Fill in this field.')).toHaveCount(1)
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('a required field on an auth page shows its error in the page’s language', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    const email = page.getByRole('textbox', { name: 'E-Mail' })
    await expect(email).toBeFocused()
    await expect(email).toHaveAccessibleDescription('Füllen Sie dieses Feld aus.')
  })
})
