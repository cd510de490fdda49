import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { startDnsServer } from '@/lib/testing/dns-server'
import { type App, createApp } from './clients/oauth-app'
import { findBarriers } from './support/accessibility'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { signUp } from './support/sign-up'
import { startSsoProvider } from './support/sso-provider'
import { expect, test } from './support/test'

/**
 * The test uses its own server, which can reach the test's identity provider and name server on this machine.
 */
let provider: Awaited<ReturnType<typeof startSsoProvider>>
let dns: Awaited<ReturnType<typeof startDnsServer>>
const records = new Map<string, string[]>()
let product: OwnProduct

test.beforeAll(async () => {
  provider = await startSsoProvider()
  dns = await startDnsServer(records)
  product = await makeOwnProduct()
  await product.start({
    E2E_NAME_SERVER: dns.address,
    E2E_REACHES: JSON.stringify(provider.reaches),
    NODE_OPTIONS: `--import ${pathToFileURL(`${import.meta.dirname}/support/open-guard.mjs`)}`,
  })
})
test.afterAll(async () => {
  await product.stop()
  dns.close()
  await provider.close()
})

/** Opens a page in a new browser session that accepts the provider's certificate. */
const newSession = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: product.url, ignoreHTTPSErrors: true })).newPage()

/** Signs in on the single sign-on page with an email address. */
async function comeIn(page: Page, email: string): Promise<void> {
  await page.goto('/login/sso')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Exchanges the provider's assertion about Grace for an access token for the app. */
async function sendApp({ clientId, clientSecret }: App): Promise<void> {
  const answer = await fetch(`${product.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await provider.assertion({
        sub: 'grace-there',
        aud: `${product.url}/oauth`,
        client_id: clientId,
        email: 'grace@example.com',
      }),
    }),
  })
  expect(answer.status).toBe(200)
}

test('an admin sets up, requires, and removes single sign-on, and a member signs in through it', async ({
  browser,
  screenshots,
}) => {
  test.slow()
  const admin = await newSession(browser)
  const ada = await signUp(admin, 'Ada Admin')
  const app = await createApp(admin, {
    name: 'Deploy agent',
    type: 'Web',
    redirectUris: ['https://agent.example/callback'],
    workspace: ada.home.split('/').at(-1) as string,
  })

  await admin.goto(`${ada.home}/settings/sso`)
  await admin.getByRole('textbox', { name: 'Issuer' }).fill('http://login.example.com')
  await admin.getByRole('textbox', { name: 'Provider’s client ID' }).fill('latchkey')
  await admin.getByLabel('Provider’s client secret').fill('a secret of ours')
  await admin.getByRole('textbox', { name: 'Email domain' }).fill('Example.com')
  await admin.getByRole('combobox', { name: 'Role of new users' }).selectOption('Member')
  await admin.getByRole('checkbox', { name: 'Require single sign-on' }).check()
  const save = () => admin.getByRole('button', { name: 'Save provider' }).click()
  await save()
  await expect(admin.getByText('Enter the provider’s issuer, which is an https URL.')).toBeVisible()
  await expect(admin.getByRole('textbox', { name: 'Email domain' })).toHaveValue('Example.com')
  await expect(admin.getByRole('combobox', { name: 'Role of new users' })).toHaveValue('MEMBER')
  await admin.getByRole('checkbox', { name: 'Require single sign-on' }).uncheck()
  await admin.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer)
  await save()
  await expect(admin.getByText('Provider saved')).toBeVisible()

  const check = () => admin.getByRole('button', { name: 'Check now' }).click()
  await check()
  await expect(admin.getByText('There is no TXT record at _latchkey.example.com.')).toBeVisible()
  const member = await newSession(browser)
  await comeIn(member, 'grace@example.com')
  await expect(
    member.getByText('No organization uses single sign-on with this email domain.').first(),
  ).toBeVisible()
  const proof = await admin.getByRole('textbox', { name: 'Record value' }).inputValue()
  records.set('_latchkey.example.com', [proof])
  await check()
  await expect(admin.getByText('Verified', { exact: true })).toBeVisible()

  const allowApp = admin.getByRole('button', { name: 'Allow app' })
  await admin.getByRole('textbox', { name: 'App’s client ID' }).fill('unknown-client')
  await allowApp.click()
  await expect(admin.getByText('There is no app with this client ID. Check the ID.')).toBeVisible()
  await admin.getByRole('textbox', { name: 'App’s client ID' }).fill(app.clientId)
  await admin.getByRole('checkbox', { name: 'workspace:member' }).check()
  await allowApp.click()
  const apps = admin.getByRole('table', { name: 'SSO-managed apps' })
  await expect(apps.getByRole('row', { name: /Deploy agent/ })).toContainText('workspace:member')
  expect(await findBarriers(admin)).toEqual([])
  await screenshots('sso-settings', admin)

  provider.signIn({ sub: 'grace-there', email: 'grace@example.com', name: 'Grace Hopper' })
  await comeIn(member, 'grace@example.com')
  await expect(member).toHaveURL(/\/workspaces\//)
  await member.goto(ada.home)
  await expect(member.getByRole('heading', { level: 1 })).toBeVisible()
  await admin.goto(`${ada.home}/members`)
  await expect(admin.getByRole('row', { name: /Grace Hopper/ })).toContainText('Member')

  await sendApp(app)
  await member.goto('/account/apps')
  const managed = member.getByRole('region', { name: 'SSO-managed apps' })
  await expect(managed.getByRole('listitem').first()).toContainText('Deploy agent')
  await expect(managed.getByText(/^Managed by/)).toBeVisible()
  expect(await findBarriers(member)).toEqual([])
  await screenshots('sso-managed-apps', member)
  await admin.goto(`${ada.home}/settings/apps/${app.clientId}`)
  const through = admin.getByRole('region', { name: 'SSO-managed access', exact: true })
  await expect(through).toContainText('workspace:member')
  const users = admin.getByRole('table', { name: 'Users with SSO-managed access' })
  await expect(users.getByRole('row', { name: /Grace Hopper/ })).toBeVisible()
  expect(await findBarriers(admin)).toEqual([])
  await screenshots('sso-managed-app', admin)
  await through.getByRole('link', { name: 'Change' }).click()
  await expect(admin).toHaveURL(/\/settings\/sso$/)

  await admin.getByRole('checkbox', { name: 'Require single sign-on' }).check()
  await save()
  await expect(admin.getByText('Provider saved')).toBeVisible()
  await member.goto('/account')
  await expect(member).toHaveURL(/\/login/)
  await comeIn(member, 'grace@example.com')
  await expect(member).toHaveURL(/\/workspaces\//)
  const elsewhere = await newSession(browser)
  await elsewhere.goto('/login')
  await elsewhere.getByRole('textbox', { name: 'Email' }).fill(ada.email)
  await elsewhere.getByRole('textbox', { name: 'Password' }).fill(ada.password)
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(
    elsewhere.getByText('Your organization requires single sign-on. Continue with SSO.'),
  ).toBeVisible()

  await admin.goto(`${ada.home}/settings/sso`)
  await admin.getByRole('button', { name: 'Remove provider' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click()
  await expect(admin.getByText('Provider removed')).toBeVisible()
  await member.goto('/account')
  await expect(member).toHaveURL(/\/login/)
})
