import { startCallback } from './clients/callback'
import { findBarriers } from './support/accessibility'
import { environment } from './support/environment'
import { expect, test } from './support/test'

/** Registers a client, and returns the URL of its authorization request. */
async function authorizeAddress(baseURL: string | undefined, redirectUri: string, more: object = {}) {
  const registered = await fetch(new URL('/oauth/register', baseURL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Sidekick',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const url = new URL('/oauth/auth', baseURL)
  url.search = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid workspace:member project:member',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  return url.href
}

test.describe('in German', () => {
  test.use({ locale: 'de-AT' })

  test('a user signs in to an app, sees its requested access, and authorizes it', async ({
    page,
    baseURL,
    screenshots,
  }) => {
    const callback = await startCallback()
    await page.goto(await authorizeAddress(baseURL, callback.uri))
    await expect(page.getByRole('heading', { name: 'Anmelden, um mit Sidekick fortzufahren' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Zurück zu Sidekick' })).toBeVisible()
    await screenshots('languages/german-sign-in')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('textbox', { name: 'E-Mail' }).fill('grace@example.com')
    await page.getByRole('textbox', { name: 'Passwort' }).fill('falsch geraten')
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await expect(page.getByText('E-Mail-Adresse oder Passwort stimmt nicht.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Passwort' }).fill(environment().demoPassword)
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await expect(
      page.getByRole('heading', { name: /Sidekick möchte auf Ihr .*-Konto zugreifen/ }),
    ).toBeVisible()
    await page.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox').first().check()
    await screenshots('languages/german-consent')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Autorisieren' }).click()
    expect((await callback.answer).searchParams.get('code')).toBeTruthy()
    await callback.close()
  })
})

test('the language menu switches the current page and later pages to Arabic', async ({
  page,
  screenshots,
}) => {
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.locator('summary').filter({ hasText: 'English' }).click()
  await page.getByRole('button', { name: 'العربية' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.locator('.auth-page')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('button', { name: 'تسجيل الدخول', exact: true })).toBeVisible()
  await screenshots('languages/arabic-sign-in')
  expect(await findBarriers(page)).toEqual([])
  await page.goto('/device')
  await expect(page.getByRole('heading', { name: 'توصيل جهاز' })).toBeVisible()
})

test('an app selects the language of the auth pages, whose back link returns to the app', async ({
  page,
  baseURL,
}) => {
  const callback = await startCallback()
  await page.goto(await authorizeAddress(baseURL, callback.uri, { ui_locales: 'sv fr-CA' }))
  await expect(
    page.getByRole('heading', { name: 'Connectez-vous pour continuer vers Sidekick' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Retour à Sidekick' }).click()
  await expect(page.getByRole('heading', { name: /Sidekick/ })).toBeVisible()
  await page.getByRole('link').filter({ hasText: '127.0.0.1' }).click()
  expect((await callback.answer).searchParams.get('error')).toBe('access_denied')
  await callback.close()
})
