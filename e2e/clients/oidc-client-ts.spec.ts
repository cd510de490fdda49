import type { Page } from '@playwright/test'
import type { User, UserManager } from 'oidc-client-ts'
import { singlePageAppSnippet } from '@/lib/features/docs/snippets/native-app'
import { placeholders } from '@/lib/features/docs/snippets/values'
import { testPort } from '@/lib/testing/free-port'
import { signUp } from '../support/sign-up'
import { expect, test } from '../support/test'
import { decide } from './consent'
import { createApp } from './oauth-app'
import { serveSinglePageApp } from './single-page-app'

declare const manager: UserManager

/**
 * Sends a request from the page and returns the response. Requires CORS headers, because the page has another
 * origin.
 */
const ask = (page: Page, url: string, token: string, body?: string) =>
  page.evaluate(
    async ({ url, token, body }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(url, body ? { method: 'POST', headers, body } : { headers })
      return { status: response.status, body: await response.json() }
    },
    { url, token, body },
  )

test('a single-page app signs in, renews and revokes its tokens, and signs out', async ({
  page,
  baseURL,
  problems,
}) => {
  const port = await testPort()
  const origin = `http://127.0.0.1:${port}`
  const redirectUri = `${origin}/callback`
  // The test ends the session, so it needs its own user.
  const { home, name, email } = await signUp(page)
  const app = await createApp(page, {
    name: 'In the browser',
    type: 'Native',
    redirectUris: [redirectUri],
    workspace: home.split('/')[2],
  })
  await page.goto(`${home}/settings/developer/${app.clientId}`)
  await page.getByRole('group', { name: 'Sign-out URIs' }).getByRole('textbox').fill(`${origin}/`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('App saved')).toBeVisible()

  const values = { ...placeholders, ...app, baseUrl: String(baseURL), redirectUri }
  const script = `${singlePageAppSnippet(values)}\nglobalThis.manager = manager`
  const server = await serveSinglePageApp(port, script)
  const me = `${baseURL}/oauth/me`

  await page.goto(origin)
  await expect(page.getByText('Not signed in')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await decide(page)
  // The name comes from the ID token and, after a renewal, from /oauth/me.
  await expect(page.getByText(`Hello, ${name}`)).toBeVisible()
  const user = await page.evaluate(() => manager.getUser() as Promise<User>)
  expect(user.profile).toMatchObject({ name, email, email_verified: false })
  expect(await ask(page, me, user.access_token)).toMatchObject({
    status: 200,
    body: { sub: user.profile.sub },
  })
  const query = JSON.stringify({ query: '{ me { id } }' })
  expect(await ask(page, `${baseURL}/graphql/v2`, user.access_token, query)).toMatchObject({
    status: 200,
    body: { data: { me: { id: user.profile.sub } } },
  })

  const renewed = await page.evaluate(() => manager.signinSilent() as Promise<User>)
  expect(renewed.access_token).not.toBe(user.access_token)
  expect(renewed.refresh_token).not.toBe(user.refresh_token)
  expect(renewed.profile.name).toBe(name)
  expect((await ask(page, me, renewed.access_token)).status).toBe(200)

  await page.evaluate(() => manager.revokeTokens())
  problems.expect(/Failed to load resource.*40[01]/)
  expect((await ask(page, me, renewed.access_token)).status).toBe(401)
  const form = {
    grant_type: 'refresh_token',
    client_id: app.clientId,
    refresh_token: `${renewed.refresh_token}`,
  }
  expect((await page.request.post(`${baseURL}/oauth/token`, { form })).status()).toBe(400)

  // The app's ID token belongs to this session, so the server does not ask the user to confirm the sign-out.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('Not signed in')).toBeVisible()
  server.close()
  await page.goto('/account/profile')
  await expect(page).toHaveURL(/\/login/)
})
