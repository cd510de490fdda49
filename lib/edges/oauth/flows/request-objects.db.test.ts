import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { type ClientKey, makeClientKey } from '@/lib/testing/client-key'
import {
  authorize,
  authorizeUrl,
  challengeOf,
  newVerifier,
  requestToken,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

const issuer = () => `${config().BASE_URL}/oauth`
const verifier = newVerifier()
const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }

const makeApp = (key: ClientKey, metadata: object = {}) =>
  owner
    .makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks, ...metadata } })
    .then((app): TestApp => ({ ...app, secret: undefined }))

describe('a request object', () => {
  const errorOf = async (app: TestApp, params: Record<string, string | undefined>) => {
    const response = await owner.browser.follow(authorizeUrl(app, params))
    const location = response.headers.get('location')
    return location ? new URL(location).searchParams.get('error') : response.status
  }

  it('carries a request that nobody on the way can change', async () => {
    const key = await makeClientKey('PS256')
    const app = await makeApp(key, { require_signed_request_object: true })
    const request = await key.requestObject(app.clientId, {
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 'signed',
      ...pkce,
    })
    const answer = await authorize(owner.browser, app, { request, state: 'changed', nonce: 'changed' })
    expect(answer.get('state')).toBe('signed')
    const tokens = await requestToken(app, {
      grant_type: 'authorization_code',
      code: answer.get('code') as string,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      ...(await key.assertion(app.clientId)),
    })
    expect(tokens.status).toBe(200)
    expect(await errorOf(app, {})).toBe('invalid_request')
  })

  it('is taken signed by the app alone, for this server, and not by reference', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const claims = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' }
    const good = await key.requestObject(app.clientId, claims)
    const objects = {
      unsigned: new UnsecuredJWT({ ...claims, iss: app.clientId, aud: issuer() }).encode(),
      'by another key': await (await makeClientKey()).requestObject(app.clientId, claims),
      'for another server': await key.requestObject(app.clientId, { ...claims, aud: 'https://x.example' }),
      'of another app': await key.requestObject(app.clientId, { ...claims, iss: web.clientId }),
      expired: await key.requestObject(app.clientId, { ...claims, exp: 1 }),
      cut: good.slice(0, -9),
    }
    for (const [name, request] of Object.entries(objects)) {
      expect(await errorOf(app, { request }), name).toBe('invalid_request_object')
    }
    expect(await errorOf(app, { request_uri: 'https://agent.example/request' })).toBe(
      'request_uri_not_supported',
    )
    expect(await errorOf(app, { request: good })).not.toBe('invalid_request_object')
  })

  it('is good for a native app too, which may register keys for it', async () => {
    const key = await makeClientKey()
    await prisma().oAuthClient.update({
      where: { id: cli.clientId },
      data: { metadata: { jwks: key.jwks } },
    })
    const request = await key.requestObject(cli.clientId, {
      redirect_uri: cli.redirectUri,
      response_type: 'code',
      scope: 'openid',
      jti: randomUUID(),
      ...pkce,
    })
    expect((await authorize(owner.browser, cli, { request })).get('code')).toBeTruthy()
  })
})
