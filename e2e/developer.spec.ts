import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { expect, test } from './support/test'

const developer = '/workspaces/acme/settings/developer'

async function createApp(page: Page, name: string, type: 'Web' | 'Native', uris: string[]): Promise<string> {
  await page.goto(developer)
  await page.getByRole('button', { name: 'New OAuth App' }).click()
  await page.getByRole('textbox', { name: 'App name' }).fill(name)
  await page.getByRole('radio', { name: type, exact: true }).check()
  await page.getByRole('textbox', { name: 'Redirect URIs' }).fill(uris.join('\n'))
  await page.getByRole('button', { name: 'Create app' }).click()
  return page.getByRole('textbox', { name: 'Client ID' }).inputValue()
}

/** Opens one of the app's tabs. */
const openTab = async (page: Page, name: string) => {
  const tab = page.getByRole('navigation', { name: 'App' }).getByRole('link', { name })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-current', 'page')
}

test('an admin creates a web app, sees its secret once, and sees its usage', async ({
  page,
  request,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  const clientId = await createApp(page, 'Shipping', 'Web', ['https://shipping.example/callback'])
  const secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue()
  expect(secret).toMatch(/^lk_cs_/)
  expect(page.url()).not.toContain(secret)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('App created')
  await screenshots('app-created')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('heading', { name: 'Shipping' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Client ID' })).toHaveValue(clientId)
  const endpoints = page.getByRole('region', { name: 'Endpoints' })
  await expect(endpoints.getByRole('button', { name: 'Copy Issuer' })).toBeVisible()
  const quickstart = page.getByRole('region', { name: 'Quickstart' })
  await expect(quickstart).toContainText(`'${clientId}',`)
  await expect(quickstart).toContainText("const redirectUri = 'https://shipping.example/callback'")
  await screenshots('app')
  await quickstart.getByRole('link', { name: 'curl' }).click()
  await expect(quickstart.getByRole('button', { name: 'Copy Exchange the code' })).toBeVisible()
  await expect(quickstart.getByRole('button', { name: 'Copy app.mjs' })).toBeHidden()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-quickstart')
  expect(await page.content()).not.toContain(secret)
  await openTab(page, 'Credentials')
  await expect(page.getByText(`lk_cs_…${secret.slice(-4)}`)).toBeVisible()
  await openTab(page, 'Overview')

  const usage = page.getByRole('region', { name: 'Usage' })
  await expect(usage).toContainText('No usage in the last 30 days')
  const form = {
    grant_type: 'authorization_code',
    code: 'no-code',
    redirect_uri: 'https://shipping.example/callback',
    client_id: clientId,
    client_secret: secret,
  }
  expect((await request.post('/oauth/token', { form })).status()).toBe(400)
  await page.reload()
  const series = usage.getByRole('navigation', { name: 'Series' })
  await expect(usage.getByRole('img', { name: 'Sign-ins by day' })).toHaveAccessibleDescription(
    'None in this period.',
  )
  await series.getByRole('link', { name: 'Errors 1' }).click()
  await expect(usage.getByRole('img', { name: 'Errors by day' })).toHaveAccessibleDescription(/^1 in total/)
  await expect(series.getByRole('link', { name: 'Errors 1' })).toHaveAttribute('aria-current', 'true')
  await expect(usage.getByRole('img')).toHaveCount(1)
  await usage.getByText('Figures as a table').click()
  const today = usage.getByRole('table', { name: 'Usage by day' }).getByRole('row').nth(1)
  await expect(today.getByRole('cell').last()).toHaveText('1')
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-used')
  await usage.getByRole('link', { name: '24 hours' }).click()
  await series.getByRole('link', { name: 'Refused requests 1' }).click()
  await expect(usage.getByRole('img', { name: 'Refused requests by hour' })).toHaveAccessibleDescription(
    /^1 in total/,
  )
  await page.goto('/workspaces/acme/settings/usage?range=7d&show=errors')
  await expect(page.getByRole('img', { name: 'Errors by day' })).toBeVisible()
  await page.goto(`/workspaces/acme/settings/developer/${clientId}/overview`)
  const refused = page.getByRole('alert').filter({ hasText: '1 request refused in the last 7 days' })
  await refused.getByRole('link', { name: 'Review requests' }).click()
  await expect(page).toHaveURL(/\/activity\?kind=REFUSED$/)
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText('invalid_grant')

  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveCount(0)
})

test('the settings of an app are boxes, and each button saves only the fields in its box', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await createApp(page, 'Sorter', 'Web', ['https://sorter.example/callback'])
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await openTab(page, 'Settings')
  const save = page.getByRole('button', { name: 'Save changes' })
  const box = page.locator('form').filter({ has: save })
  await expect(box.getByRole('region')).toHaveCount(3)
  for (const name of ['General', 'Sign-in', 'Scopes'])
    await expect(box.getByRole('region', { name, exact: true })).toBeVisible()
  await expect(box.getByText('Saves General, Sign-in, and Scopes.')).toBeVisible()
  await expect(save).toBeInViewport()
  await expect(page.locator('.button-primary').filter({ visible: true })).toHaveText('Save changes')

  const unsaved = page.getByRole('status').filter({ hasText: 'unsaved' })
  await page.getByRole('textbox', { name: 'Domain' }).fill('sorter.example')
  await page.getByRole('checkbox', { name: 'project:viewer' }).check()
  await expect(unsaved).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Website' }).fill('https://sorter.example')
  await page.getByRole('textbox', { name: 'Support' }).fill('help@sorter.example')
  await expect(box.getByRole('status')).toHaveText('2 unsaved changes')
  await expect(box.getByText('Saves General, Sign-in, and Scopes.')).toHaveCount(0)
  await expect(save).toBeInViewport()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-settings-unsaved')
  await page.getByRole('button', { name: 'Update installation' }).click()
  await expect(page.getByRole('textbox', { name: 'Installation link' })).toBeVisible()
  await expect(box.getByRole('status')).toHaveText('2 unsaved changes')
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await save.click()
  await saved
  await expect(unsaved).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Website' })).toHaveValue('https://sorter.example')
})

test('an admin edits an app, replaces its secrets, and deletes it after typing its name', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await createApp(page, 'Printer', 'Web', ['https://printer.example/callback'])
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await openTab(page, 'Settings')
  await page.getByRole('textbox', { name: 'App name' }).fill('Plotter')
  await page.getByRole('textbox', { name: 'Description' }).fill('Draws what you print.')
  await page.getByRole('textbox', { name: 'Website' }).fill('https://plotter.example')
  await page.getByRole('textbox', { name: 'Support' }).fill('call us')
  const uris = page.getByRole('group', { name: 'Redirect URIs' })
  await uris.getByRole('textbox').fill('https://plotter.example/a')
  await uris.getByRole('button', { name: 'Add redirect URI' }).click()
  await expect(uris.getByRole('textbox', { name: 'Redirect URI 2' })).toBeFocused()
  await page.keyboard.type('http://plotter.example/b')
  await page.getByRole('button', { name: 'Save' }).click()
  const support = page.getByRole('textbox', { name: 'Support' })
  await expect(support).toHaveAccessibleDescription(/Enter an email address/)
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Draws what you print.')
  await support.fill('help@plotter.example')
  await page.getByRole('button', { name: 'Save' }).click()
  const second = uris.getByRole('textbox', { name: 'Redirect URI 2' })
  await expect(second).toHaveAccessibleDescription(/http:\/\/plotter\.example\/b/)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-settings-refused')
  await second.fill('https://plotter.example/b')
  await uris.getByRole('button', { name: 'Remove https://plotter.example/a' }).click()
  await expect(uris.getByRole('textbox')).toHaveValue('https://plotter.example/b')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Plotter' })).toBeVisible()
  await expect(uris.getByRole('textbox')).toHaveValue('https://plotter.example/b')
  await uris.getByRole('textbox').fill('https://plotter.example/c')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(uris.getByRole('textbox')).toHaveValue('https://plotter.example/b')

  await openTab(page, 'Credentials')
  await page.getByRole('textbox', { name: 'Secret name' }).fill('Blue server')
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('90 days')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByRole('row', { name: /Blue server.*in \d+ (months|days)/ })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toBeVisible()
  const revoke = page.getByRole('button', { name: /^Revoke the secret/ })
  await expect(revoke).toHaveCount(2)
  await revoke.last().click()
  await page.getByRole('button', { name: 'Revoke secret' }).click()
  await expect(revoke).toHaveCount(1)

  await openTab(page, 'Danger')
  await page.getByRole('button', { name: 'Delete app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Plotter?' })
  await dialog.getByRole('textbox').fill('Printer')
  await dialog.getByRole('button', { name: 'Delete app' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox').fill('Plotter')
  await dialog.getByRole('button', { name: 'Delete app' }).click()
  await expect(page).toHaveURL(new RegExp(`${developer}$`))
  await expect(page.getByText('Plotter')).toHaveCount(0)
})

test('an app is transferred to another workspace when an admin of that workspace accepts', async ({
  page,
  signIn,
}) => {
  await signIn('ada')
  await createApp(page, 'Wanderer', 'Native', ['http://127.0.0.1/callback'])
  await page.getByRole('link', { name: 'Go to the app' }).click()
  await openTab(page, 'Danger')
  await page.getByRole('button', { name: 'Transfer app' }).click()
  const offer = page.getByRole('dialog')
  await offer.getByRole('textbox', { name: 'Workspace' }).fill('globex')
  await offer.getByRole('button', { name: 'Transfer app' }).click()
  await expect(page.getByText('Transfer requested to Globex (globex)')).toBeVisible()

  await page.goto('/workspaces/globex/settings/developer')
  const offered = page.getByRole('region', { name: 'Transfer request for Wanderer' })
  await expect(offered.getByText('http://127.0.0.1/callback')).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await offered.getByRole('button', { name: 'Accept Wanderer' }).click()
  await page.getByRole('button', { name: 'Accept app' }).click()
  await expect(offered).toHaveCount(0)
  await page.getByRole('link', { name: 'Wanderer' }).click()
  await expect(page).toHaveURL(/\/workspaces\/globex\/settings\/developer\/.+\/overview$/)
})

test('an admin replaces an app’s secret with public keys and enables high security', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await createApp(page, 'Vault', 'Web', ['https://vault.example/callback'])
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await openTab(page, 'Settings')
  const keys = page.getByRole('textbox', { name: 'Public keys' })
  await expect(keys).toBeHidden()
  await page.getByText('Advanced', { exact: true }).click()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-advanced')

  await page.getByRole('radio', { name: 'Private key' }).check()
  await page.getByRole('textbox', { name: 'Back-channel logout URI' }).fill('https://vault.example:8443/out')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('textbox', { name: 'Back-channel logout URI' })).toHaveAccessibleDescription(
    /Use port 443/,
  )
  await expect(page.getByRole('radio', { name: 'Private key' })).toBeChecked()
  await page.getByRole('textbox', { name: 'Back-channel logout URI' }).fill('https://vault.example/out')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(keys).toHaveAccessibleDescription(/Enter the app’s public keys/)
  await screenshots('app-advanced-refused')

  await keys.fill('https://vault.example/jwks.json')
  await page.getByRole('checkbox', { name: 'High security' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('App saved')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Require pushed authorization requests' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'ID token signature' })).toHaveValue('ES256')
  await openTab(page, 'Credentials')
  await expect(page.getByRole('region', { name: 'Public keys' })).toContainText(
    'https://vault.example/jwks.json',
  )
  await expect(page.getByRole('region', { name: 'Client secrets' })).toHaveCount(0)
  await openTab(page, 'Settings')
  await expect(page.getByRole('checkbox', { name: 'High security' })).toBeChecked()
  await screenshots('app-high-security')
})

test('an admin corrects a localhost redirect URI and creates a native app, which has no secret', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto(developer)
  await page.getByRole('button', { name: 'New OAuth App' }).click()
  const name = page.getByRole('textbox', { name: 'App name' })
  const uris = page.getByRole('textbox', { name: 'Redirect URIs' })
  await name.fill('Terminal')
  await page.getByRole('radio', { name: 'Native', exact: true }).check()
  await uris.fill('http://localhost:8976/callback')
  await page.getByRole('button', { name: 'Create app' }).click()
  await expect(uris).toHaveAccessibleDescription(/http:\/\/127\.0\.0\.1:8976\/callback/)
  await expect(uris).toBeFocused()
  await expect(name).toHaveValue('Terminal')
  await expect(page.getByRole('radio', { name: 'Native', exact: true })).toBeChecked()
  await uris.fill('http://127.0.0.1/callback')
  await page.getByRole('button', { name: 'Create app' }).click()
  await expect(page.getByRole('textbox', { name: 'Client ID' })).toHaveValue(/^lk_app_/)
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveCount(0)
  await expect(page).toHaveURL(/\/developer\/lk_app_\w+\/overview$/)
  await expect(page).toHaveTitle(/^App created · /)
  await page.getByRole('link', { name: 'Go to the app' }).click()
  await expect(page.getByText('oidc.initiateDeviceAuthorization')).toBeVisible()
  await screenshots('app-native')
  await page.getByRole('navigation', { name: 'App' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveTitle('Settings · Terminal')
})

for (const user of ['grace', 'edsger'] as const) {
  test(`${user}, who is not an admin of Acme, cannot open the developer pages and sees no link to them`, async ({
    page,
    signIn,
  }) => {
    await signIn(user)
    for (const path of [developer, `${developer}/new`, `${developer}/lk_app_0000000000000000000000`]) {
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    }
    await page.goto('/workspaces/acme/settings')
    await expect(page.getByRole('link', { name: 'Developer' })).toHaveCount(0)
  })
}
