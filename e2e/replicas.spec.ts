import type { Page } from '@playwright/test'
import * as oidc from 'openid-client'
import { startCallback } from './clients/callback'
import { decide } from './clients/consent'
import { createApp } from './clients/oauth-app'
import { query } from './clients/query'
import { type Replicas, startReplicas } from './support/replicas'
import { expect, test } from './support/test'

/** Verifies that no state is kept in one process: consecutive requests of a flow go to different replicas. */
test.describe.configure({ mode: 'serial', timeout: 180_000 })

let replicas: Replicas
test.beforeAll(async () => {
  test.setTimeout(180_000)
  replicas = await startReplicas()
})
test.afterAll(() => replicas?.close())

const overHttp = { execute: [oidc.allowInsecureRequests] }
const user = { name: 'Two Replicas', email: 'two@example.com', password: 'correct horse battery staple' }
const scope = 'openid email offline_access workspace:viewer'

/** Fills in the sign-in form on the current page. */
async function signInHere(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a user signs up, registers an app, and signs in to it, with consecutive steps on different replicas', async ({
  page,
}) => {
  await page.goto(`${replicas.url}/signup`)
  await page.getByRole('textbox', { name: 'Name' }).fill(user.name)
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL((url) => url.pathname !== '/signup')
  const [, workspace] = /\/workspaces\/([^/]+)/.exec(page.url()) ?? []
  expect(workspace, page.url()).toBeTruthy()

  const callback = await startCallback('localhost')
  const app = await createApp(page, {
    name: 'Hopping app',
    type: 'Web',
    redirectUris: [callback.uri],
    base: replicas.url,
    workspace,
  })
  await page.context().clearCookies()

  const config = await oidc.discovery(
    new URL('/oauth', replicas.url),
    app.clientId,
    app.clientSecret,
    undefined,
    overHttp,
  )
  const verifier = oidc.randomPKCECodeVerifier()
  const target = await oidc.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: callback.uri,
    scope,
    prompt: 'consent',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  await page.goto(target.href)
  await signInHere(page)
  await page.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox').first().check()
  await decide(page)
  const tokens = await oidc.authorizationCodeGrant(config, await callback.answer, {
    pkceCodeVerifier: verifier,
    expectedState: oidc.skipStateCheck,
    idTokenExpected: true,
  })
  await callback.close()

  const me = '{ me { email workspaces { name } } }'
  const seen = await query<{ me: { workspaces: object[] } }>(replicas.url, tokens.access_token, me)
  expect(seen.me).toMatchObject({ email: user.email })
  expect(seen.me.workspaces).toHaveLength(1)
  const sub = tokens.claims()?.sub as string
  expect((await oidc.fetchUserInfo(config, tokens.access_token, sub)).email).toBe(user.email)
  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token as string)

  // After a token is revoked through one replica, both replicas reject the access token immediately.
  const bearer = { headers: { authorization: `Bearer ${renewed.access_token}` } }
  expect((await fetch(`${replicas.each[0]}/oauth/me`, bearer)).status).toBe(200)
  expect((await fetch(`${replicas.each[1]}/oauth/me`, bearer)).status).toBe(200)
  await oidc.tokenRevocation(config, tokens.refresh_token as string)
  expect((await fetch(`${replicas.each[0]}/oauth/me`, bearer)).status).toBe(401)
  expect((await fetch(`${replicas.each[1]}/oauth/me`, bearer)).status).toBe(401)
})

test('a user authorizes a device, and the device refreshes its tokens, with requests to different replicas', async ({
  page,
}) => {
  const config = await oidc.dynamicClientRegistration(
    new URL('/oauth', replicas.url),
    {
      client_name: 'Hopping device',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'authorization_code'],
      token_endpoint_auth_method: 'none',
    },
    oidc.None(),
    overHttp,
  )
  const device = await oidc.initiateDeviceAuthorization(config, { scope: 'openid offline_access' })
  const waiting = oidc.pollDeviceAuthorizationGrant(config, device)
  await page.goto(device.verification_uri)
  await page.getByRole('textbox', { name: 'Code' }).fill(device.user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInHere(page)
  await decide(page)
  const tokens = await waiting

  // A public client uses one refresh token at both replicas at the same time and receives the same response
  // from both.
  const clientId = config.clientMetadata().client_id
  const answers = await Promise.all(
    replicas.each.map((origin) =>
      fetch(`${origin}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token as string,
          client_id: clientId,
        }),
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const bodies = await Promise.all(answers.map((answer) => answer.json()))
  expect(bodies[0]).toEqual(bodies[1])
})

test('both replicas publish the same keys and have served requests of these tests', async () => {
  const keys = await Promise.all(
    replicas.each.map((origin) => fetch(`${origin}/oauth/jwks`).then((answer) => answer.json())),
  )
  expect(keys[0]).toEqual(keys[1])
  expect(Math.min(...replicas.answered)).toBeGreaterThan(10)
})
