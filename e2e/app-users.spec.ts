import { createHash, randomBytes } from 'node:crypto'
import { createApp } from './clients/oauth-app'
import { query } from './clients/query'
import { findBarriers } from './support/accessibility'
import { backToApp } from './support/back-to-app'
import { signUp, signUpConfirmed } from './support/sign-up'
import { expect, test } from './support/test'

const redirectUri = 'http://127.0.0.1/callback'

test('an app moves from development to production, and an admin revokes a user’s access to it', async ({
  page,
  context,
  request,
  baseURL,
  problems,
  screenshots,
}) => {
  // No server listens at the app's redirect URI.
  problems.expect('ERR_CONNECTION_REFUSED')
  const vendor = await signUpConfirmed(page, 'Vera Vendor')
  const asVendor = await context.cookies()
  const app = await createApp(page, {
    name: 'Prototype',
    type: 'Native',
    redirectUris: [redirectUri],
    workspace: vendor.home.split('/').at(-1) as string,
  })
  const address = `${vendor.home}/settings/developer/${app.clientId}`
  const tab = (name: string) => page.getByRole('navigation', { name: 'App' }).getByRole('link', { name })
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Description' }).fill('Shows where your builds are.')
  await page.getByRole('textbox', { name: 'Website' }).fill('https://prototype.example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('App saved')).toBeVisible()
  await page.getByRole('button', { name: 'Move to development' }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByText('No external users use the app.')).toBeVisible()
  await question.getByRole('button', { name: 'Move to development' }).click()
  await expect(page.getByRole('heading', { name: 'In development' })).toBeVisible()
  await screenshots('app-in-development')

  await context.clearCookies()
  const customer = await signUp(page, 'Carl Customer')
  const asCustomer = await context.cookies()
  const verifier = randomBytes(32).toString('base64url')
  const parameters = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`/oauth/auth?${parameters}`)
  await expect(page.getByRole('heading', { name: 'Prototype is in development' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Authorize' })).toHaveCount(0)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('consent-in-development')
  const refused = await backToApp(page, redirectUri, 'Back to Prototype')
  expect(refused.searchParams.get('error')).toBe('access_denied')

  await context.clearCookies()
  await context.addCookies(asVendor)
  await page.goto(address)
  await page.getByRole('button', { name: 'Move to production' }).click()
  await expect(page.getByRole('heading', { name: 'In production' })).toBeVisible()

  await context.clearCookies()
  await context.addCookies(asCustomer)
  await page.goto(`/oauth/auth?${parameters}`)
  await expect(page.getByText('Shows where your builds are.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute(
    'href',
    'https://prototype.example',
  )
  await screenshots('consent-with-profile')
  const left = await backToApp(page, redirectUri, 'Authorize')
  const answer = await request.post('/oauth/token', {
    form: {
      grant_type: 'authorization_code',
      code: left.searchParams.get('code') ?? '',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    },
  })
  const { access_token: token } = await answer.json()
  const me = () => query<{ me: { id: string } }>(baseURL, token, '{ me { id } }')
  expect((await me()).me.id).toBeTruthy()

  await context.clearCookies()
  await context.addCookies(asVendor)
  await page.goto(`${address}/overview`)
  await tab('Activity').click()
  const activity = page.getByRole('table', { name: 'Activity' })
  await expect(activity.getByText('Denied')).toBeVisible()
  await expect(activity.getByText('Signed in')).toBeVisible()
  await expect(activity).toContainText(customer.email)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-activity')
  await page.getByRole('list', { name: 'Filter by kind' }).getByRole('link', { name: 'Denied' }).click()
  await expect(activity.getByText('Signed in')).toHaveCount(0)
  await expect(activity.getByText('Denied')).toBeVisible()
  const exported = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^activity-.*\.csv$/)
  await tab('People').click()
  const users = page.getByRole('table', { name: 'People' })
  await expect(users).toContainText(customer.email)
  // The app did not request the user's name.
  await expect(users).not.toContainText('Carl Customer')
  expect(await findBarriers(page)).toEqual([])
  await screenshots('app-users')
  await page.getByRole('button', { name: `Revoke access to ${customer.email}` }).click()
  await page.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await expect(page.getByText('No users yet')).toBeVisible()
  await expect(me()).rejects.toThrow(/token/)
})
