import * as oauth from 'oauth4webapi'
import { expect, test } from '../support/test'
import { startCallback } from './callback'
import { decide } from './consent'

const insecure = { [oauth.allowInsecureRequests]: true }

test('a user authorizes a device in a browser, and the device reads and deletes its registration', async ({
  page,
  signIn,
  baseURL,
}) => {
  const issuer = new URL('/oauth', baseURL)
  const as = await oauth
    .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const client = await oauth
    .dynamicClientRegistrationRequest(
      as,
      {
        client_name: 'Television',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'authorization_code'],
        token_endpoint_auth_method: 'none',
      },
      insecure,
    )
    .then(oauth.processDynamicClientRegistrationResponse)

  const device = await oauth
    .deviceAuthorizationRequest(
      as,
      client,
      oauth.None(),
      { scope: 'openid offline_access project:viewer' },
      insecure,
    )
    .then((response) => oauth.processDeviceAuthorizationResponse(as, client, response))
  const poll = async () =>
    oauth.processDeviceCodeResponse(
      as,
      client,
      await oauth.deviceCodeGrantRequest(as, client, oauth.None(), device.device_code, insecure),
    )
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })

  await signIn('ada')
  await page.goto(device.verification_uri)
  // Users can type the code without the dash and in lower case.
  await page.getByRole('textbox', { name: 'Code' }).fill(device.user_code.replace('-', '').toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Television').first()).toBeVisible()
  await decide(page, { projects: ['Payments'] })
  await page.waitForURL((url) => !url.pathname.startsWith('/interaction'))

  // The first poll was less than the interval ago, so the server might respond with slow_down.
  await expect(async () => {
    const tokens = await poll()
    expect(tokens.scope?.split(' ')).toContain('project:viewer')
    expect(tokens.refresh_token).toBeTruthy()
  }).toPass({ intervals: [6_000], timeout: 30_000 })

  const managed = await fetch(client.registration_client_uri as string, {
    headers: { authorization: `Bearer ${client.registration_access_token}` },
  })
  expect(await managed.json()).toMatchObject({ client_id: client.client_id, client_name: 'Television' })
  const removed = await fetch(client.registration_client_uri as string, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${client.registration_access_token}` },
  })
  expect(removed.status).toBe(204)
})

test('a confidential client authenticates with both client secret methods, and oauth4webapi accepts every response', async ({
  page,
  signIn,
  baseURL,
}) => {
  const issuer = new URL('/oauth', baseURL)
  const callback = await startCallback('localhost')
  const as = await oauth
    .discoveryRequest(issuer, insecure)
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const client = await oauth
    .dynamicClientRegistrationRequest(
      as,
      {
        client_name: 'Confidential',
        redirect_uris: [callback.uri],
        token_endpoint_auth_method: 'client_secret_basic',
      },
      insecure,
    )
    .then(oauth.processDynamicClientRegistrationResponse)
  const verifier = oauth.generateRandomCodeVerifier()
  const target = new URL(as.authorization_endpoint as string)
  target.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback.uri,
    response_type: 'code',
    scope: 'openid offline_access',
    prompt: 'consent',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  await signIn('edsger')
  await page.goto(target.href)
  await decide(page)
  const answer = oauth.validateAuthResponse(as, client, await callback.answer, oauth.expectNoState)
  await callback.close()

  const secret = client.client_secret as string
  const tokens = await oauth
    .authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic(secret),
      answer,
      callback.uri,
      verifier,
      insecure,
    )
    .then((response) =>
      oauth.processAuthorizationCodeResponse(as, client, response, { requireIdToken: true }),
    )
  const renewed = await oauth
    .refreshTokenGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(secret),
      tokens.refresh_token as string,
      insecure,
    )
    .then((response) => oauth.processRefreshTokenResponse(as, client, response))
  const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub as string
  const claims = await oauth
    .userInfoRequest(as, client, renewed.access_token, insecure)
    .then((response) => oauth.processUserInfoResponse(as, client, sub, response))
  expect(claims).toEqual({ sub })
})
