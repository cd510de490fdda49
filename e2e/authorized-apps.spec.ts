import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { backToApp } from './support/back-to-app'
import { expect, test } from './support/test'

const redirectUri = 'http://127.0.0.1/callback'

/**
 * Registers a native app, authorizes it for Acme as the signed-in user, and returns the app's access token.
 */
async function authorize(page: Page, request: APIRequestContext): Promise<string> {
  await page.goto('/workspaces/acme/settings/developer/new')
  await page.getByLabel('App name').fill('Sidekick')
  await page.getByRole('radio', { name: 'Native', exact: true }).check()
  await page.getByLabel('Redirect URIs').fill(redirectUri)
  await page.getByRole('button', { name: 'Create app' }).click()
  const clientId = await page.getByRole('textbox', { name: 'Client ID' }).inputValue()
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid workspace:viewer',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`/oauth/auth?${query}`)
  await page.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox', { name: 'Acme' }).check()
  const left = await backToApp(page, redirectUri, 'Authorize')
  const code = left.searchParams.get('code') ?? ''
  const answer = await request.post('/oauth/token', {
    form: {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    },
  })
  return (await answer.json()).access_token
}

test('changing or revoking an authorization takes effect on the app’s next request', async ({
  page,
  request,
  problems,
  signIn,
  screenshots,
}) => {
  // No server listens at the app's redirect URI.
  problems.expect('ERR_CONNECTION_REFUSED')
  await signIn('ada')
  const token = await authorize(page, request)
  const see = async () => {
    const answer = await request.post('/graphql/v2', {
      headers: { authorization: `Bearer ${token}` },
      data: { query: '{ me { workspaces { name } } }' },
    })
    return answer.json()
  }
  expect(await see()).toHaveProperty('data.me.workspaces', [{ name: 'Acme' }])

  await page.goto('/account/apps')
  const app = page
    .getByRole('list', { name: 'Authorized apps' })
    .getByRole('listitem')
    .filter({ hasText: 'Sidekick' })
  await expect(app.first()).toContainText('Workspace Acme')
  await screenshots('authorized-apps')
  await page.getByRole('link', { name: 'Change access of Sidekick' }).click()
  const workspaces = page.getByRole('group', { name: 'Workspaces' })
  await workspaces.getByRole('checkbox', { name: 'Acme' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Select at least one workspace.')).toBeVisible()
  await workspaces.getByRole('checkbox', { name: 'Globex' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Access changed')).toBeVisible()
  await screenshots('authorized-app')
  expect(await see()).toHaveProperty('data.me.workspaces', [{ name: 'Globex' }])

  await page.getByRole('button', { name: 'Revoke Sidekick' }).click()
  await page.getByRole('button', { name: 'Revoke access' }).click()
  await expect(page).toHaveURL(/\/account\/apps$/)
  await expect(page.getByText('Sidekick')).toHaveCount(0)
  expect(await see()).toHaveProperty('errors.0.extensions.code', 'UNAUTHENTICATED')
})
