import * as oidc from 'openid-client'
import { expect, test } from '../support/test'
import { startCallback } from './callback'
import { decide } from './consent'
import { createApp } from './oauth-app'
import { type Projects, projectNames, query } from './query'

/** Options for openid-client that allow HTTP, because the test server has no TLS. */
const overHttp = { execute: [oidc.allowInsecureRequests] }

test('a web app signs a user in, reads claims, and refreshes and revokes its tokens @mounts', async ({
  page,
  signIn,
  baseURL,
}) => {
  const callback = await startCallback('localhost')
  await signIn('ada')
  const app = await createApp(page, {
    name: 'Client of openid-client',
    type: 'Web',
    redirectUris: [callback.uri],
  })
  const config = await oidc.discovery(
    new URL('/oauth', baseURL),
    app.clientId,
    app.clientSecret,
    undefined,
    overHttp,
  )

  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri,
    scope: 'openid email profile offline_access project:viewer',
    prompt: 'consent',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  await page.goto(target.href)
  await decide(page, { projects: ['Website'] })
  const tokens = await oidc.authorizationCodeGrant(config, await callback.answer, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  await callback.close()
  const sub = tokens.claims()?.sub as string

  expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
    sub,
    email: 'ada@example.com',
    name: 'Ada Lovelace',
  })
  const shared = '{ projects { edges { node { name } } } }'
  expect(projectNames(await query<Projects>(baseURL, tokens.access_token, shared))).toEqual(['Website'])

  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token as string)
  expect(projectNames(await query<Projects>(baseURL, renewed.access_token, shared))).toEqual(['Website'])
  expect(await oidc.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true, sub })

  await oidc.tokenRevocation(config, renewed.refresh_token ?? (tokens.refresh_token as string))
  expect(await oidc.tokenIntrospection(config, renewed.access_token)).toEqual({ active: false })
  await expect(oidc.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('a self-registered native app pushes its authorization request and binds its tokens to a key', async ({
  page,
  signIn,
  baseURL,
}) => {
  const callback = await startCallback()
  await signIn('grace')
  const config = await oidc.dynamicClientRegistration(
    new URL('/oauth', baseURL),
    { client_name: 'Bound client', redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' },
    oidc.None(),
    overHttp,
  )
  const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair())
  const verifier = oidc.randomPKCECodeVerifier()
  const target = await oidc.buildAuthorizationUrlWithPAR(
    config,
    {
      redirect_uri: callback.uri,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    },
    { DPoP },
  )
  expect([...target.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  await page.goto(target.href)
  await decide(page)
  const tokens = await oidc.authorizationCodeGrant(
    config,
    await callback.answer,
    { pkceCodeVerifier: verifier, expectedState: oidc.skipStateCheck, idTokenExpected: true },
    undefined,
    { DPoP },
  )
  await callback.close()
  expect(tokens.token_type).toBe('dpop')
  const claims = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub as string, {
    DPoP,
  })
  expect(claims.email).toBe('grace@example.com')

  // The server rejects the same token without a DPoP proof.
  const stolen = await fetch(new URL('/oauth/me', baseURL), {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(stolen.status).toBe(401)

  const answer = await oidc.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL('/graphql/v2', baseURL),
    'POST',
    JSON.stringify({ query: '{ me { email } }' }),
    new Headers({ 'content-type': 'application/json' }),
    { DPoP },
  )
  expect(await answer.json()).toMatchObject({ data: { me: { email: 'grace@example.com' } } })
})

test('a client receives access_denied if the user denies access', async ({ page, signIn, baseURL }) => {
  const callback = await startCallback()
  await signIn('grace')
  const config = await oidc.dynamicClientRegistration(
    new URL('/oauth', baseURL),
    { client_name: 'Denied client', redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' },
    oidc.None(),
    overHttp,
  )
  const verifier = oidc.randomPKCECodeVerifier()
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri,
    scope: 'openid',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'kept',
  })
  await page.goto(target.href)
  await decide(page, { deny: true })
  const denied = oidc.authorizationCodeGrant(config, await callback.answer, {
    pkceCodeVerifier: verifier,
    expectedState: 'kept',
  })
  await expect(denied).rejects.toMatchObject({ error: 'access_denied' })
  await callback.close()
})
