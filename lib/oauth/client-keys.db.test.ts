import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFailures } from '@/lib/app-failures/list-failures'
import { config } from '@/lib/config/env'
import { pool } from '@/lib/db/pool'
import { prisma } from '@/lib/db/prisma'
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
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

const { server, owner, web, cli } = await startOAuthWorld()

/** Serves key sets, as an app would at its jwks_uri. */
let host: TlsServer
const served = new Map<string, unknown>()
let fetched = 0
beforeAll(async () => {
  host = await startOutsideServer((req, res) => {
    fetched++
    res.writeHead(served.has(req.url ?? '') ? 200 : 404, { 'content-type': 'application/json' })
    res.end(JSON.stringify(served.get(req.url ?? '') ?? {}))
  })
})
afterAll(() => host.close())

const issuer = () => `${config().BASE_URL}/oauth`
const verifier = newVerifier()
const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }

const makeApp = (key: ClientKey, metadata: object = {}) =>
  owner
    .makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks, ...metadata } })
    .then((app): TestApp => ({ ...app, secret: undefined }))

/** A code, exchanged with whatever proves the client. */
async function exchange(app: TestApp, proof: Record<string, string>) {
  const code = (await authorize(owner.browser, app, pkce)).get('code') as string
  const form = { code, redirect_uri: app.redirectUri, code_verifier: verifier }
  return requestToken(app, { grant_type: 'authorization_code', ...form, ...proof })
}

describe('private_key_jwt', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('proves an app by its key with %s', async (alg) => {
    const key = await makeClientKey(alg)
    const app = await makeApp(key)
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it.each(['the issuer', 'the token endpoint'])('may be meant for %s', async (audience) => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const aud = audience === 'the issuer' ? [issuer()] : `${issuer()}/token`
    expect((await exchange(app, await key.assertion(app.clientId, { aud }))).status).toBe(200)
  })

  const seconds = (from: number) => Math.floor(Date.now() / 1000) + from
  const wrong: Record<string, () => JWTPayload> = {
    'for somebody else': () => ({ aud: 'https://other.example' }),
    'issued by somebody else': () => ({ iss: web.clientId }),
    expired: () => ({ exp: seconds(-60) }),
    'without an end': () => ({ exp: undefined }),
    'without an id': () => ({ jti: undefined }),
    'that lives for a year': () => ({ exp: seconds(365 * 86_400) }),
    'that ends when no date can be': () => ({ exp: 1e300 }),
    'issued in the future': () => ({ iat: seconds(120) }),
  }
  it.each(Object.keys(wrong))('takes no assertion %s', async (name) => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const { status, body } = await exchange(app, await key.assertion(app.clientId, wrong[name]?.()))
    expect([status, body.error]).toEqual([400, 'invalid_client'])
  })

  it('takes an assertion once, also of two requests at the same moment', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const assertion = await key.assertion(app.clientId)
    const answers = await Promise.all([exchange(app, assertion), exchange(app, assertion)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const again = await exchange(app, assertion)
    expect(again.body).toMatchObject({ error: 'invalid_client' })
  })

  it('takes no other key, and no secret, also not one the app had before', async () => {
    const key = await makeClientKey()
    const other = await makeClientKey()
    const app = await owner.makeApp({
      metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks },
    })
    const { secret, ...keyed } = app
    const proofs: Record<string, string>[] = [
      await other.assertion(app.clientId),
      { client_secret: secret as string },
      {},
    ]
    for (const proof of proofs) expect((await exchange(keyed, proof)).body.error).toBe('invalid_client')
  })

  it('is asked for at every endpoint, pushed requests included', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const send = (path: string, fields: Record<string, string>) =>
      server
        .fetch(path, {
          method: 'POST',
          body: new URLSearchParams({ client_id: app.clientId, ...fields }),
        })
        .then(({ status }) => status)
    const request = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' }
    for (const [path, fields] of [
      ['/oauth/request', request],
      ['/oauth/device/auth', { scope: 'openid' }],
      ['/oauth/token/introspection', { token: 'x' }],
      ['/oauth/token/revocation', { token: 'x' }],
    ] as const) {
      expect(await send(path, fields), path).toBe(400)
      expect(await send(path, { ...fields, ...(await key.assertion(app.clientId)) }), path).toBeLessThan(300)
    }
  })

  it('has its key set fetched where the app publishes it, once for many requests, and again after a change of keys', async () => {
    const [first, second] = [await makeClientKey(), await makeClientKey()]
    served.set('/keys.json', first.jwks)
    const app = await makeApp(first, { jwks: undefined, jwks_uri: `${host.origin}/keys.json` })
    fetched = 0
    for (const _ of [1, 2]) {
      expect((await exchange(app, await first.assertion(app.clientId))).status).toBe(200)
    }
    expect(fetched).toBe(1)
    served.set('/keys.json', second.jwks)
    expect((await exchange(app, await second.assertion(app.clientId))).body.error).toBe('invalid_client')
    // The set is kept for a minute; a client whose row has changed is made anew.
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { name: 'Renamed' } })
    expect((await exchange(app, await second.assertion(app.clientId))).status).toBe(200)
  })

  it('makes this server fetch key sets for nobody without end', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key, { jwks: undefined, jwks_uri: `${host.origin}/nothing.json` })
    fetched = 0
    for (let i = 0; i < 70; i++) {
      const { body } = await requestToken(app, {
        grant_type: 'authorization_code',
        ...(await key.assertion(app.clientId)),
      })
      expect(body.error).toBe('invalid_client')
    }
    expect(fetched).toBeLessThanOrEqual(60)
    await pool().query('DELETE FROM rate_limits')
  })

  it('tells the developer why it failed', async () => {
    const [key, other] = [await makeClientKey(), await makeClientKey()]
    const reasonFor = async (app: TestApp, assertion: Record<string, string>) => {
      await requestToken(app, { grant_type: 'authorization_code', ...assertion })
      const actor = {
        kind: 'session' as const,
        userId: owner.person.id,
        sessionId: owner.person.id,
        instanceAdmin: false,
      }
      return (await listFailures(actor, app.clientId))[0]?.reason
    }
    const app = await makeApp(key)
    expect(await reasonFor(app, await other.assertion(app.clientId))).toMatch(/signature|key/i)
    expect(await reasonFor(app, await key.assertion(app.clientId, { aud: 'https://x.example' }))).toMatch(
      /aud/,
    )
    const lost = await makeApp(key, { jwks: undefined, jwks_uri: `${host.origin}/nothing.json` })
    expect(await reasonFor(lost, await key.assertion(lost.clientId))).toMatch(/404/)
    const inside = await makeApp(key, { jwks: undefined, jwks_uri: 'https://10.0.0.1/jwks' })
    expect(await reasonFor(inside, await key.assertion(inside.clientId))).toBe(
      'This address is not on the public internet.',
    )
  })
})

describe('a client that registers itself with a key', () => {
  const register = async (metadata: object) => {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://agent.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        ...metadata,
      }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  it('gets no secret and signs people in', async () => {
    const key = await makeClientKey()
    const { status, body } = await register({ jwks: key.jwks })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks })
    expect(body).not.toHaveProperty('client_secret')
    const app = { clientId: body.client_id as string, redirectUri: 'https://agent.example/cb' }
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it('gives up its secret when it changes over to a key', async () => {
    const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' })
    const key = await makeClientKey()
    const response = await server.fetch(new URL(body.registration_client_uri as string).pathname, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${body.registration_access_token}`,
      },
      body: JSON.stringify({
        client_id: body.client_id,
        redirect_uris: ['https://agent.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: key.jwks,
      }),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).not.toHaveProperty('client_secret')
    expect(await prisma().oAuthClientSecret.count({ where: { clientId: String(body.client_id) } })).toBe(0)
  })

  const refused: Record<string, [() => Promise<object> | object, RegExp]> = {
    'no key': [() => ({}), /jwks or jwks_uri is mandatory/],
    'a private key': [
      async () => ({
        jwks: {
          keys: [await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)],
        },
      }),
      /jwks: The key set holds a private key/,
    ],
    'a short RSA key': [
      () => ({
        jwks: {
          keys: [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
        },
      }),
      /jwks: Give an RSA key of 2048 bits or more/,
    ],
    'an empty set': [() => ({ jwks: { keys: [] } }), /jwks: The key set is empty/],
    'a key set on another port': [
      () => ({ jwks_uri: 'https://agent.example:8443/jwks' }),
      /jwks_uri: Use port 443/,
    ],
    'a key set inside': [
      () => ({ jwks_uri: 'https://169.254.169.254/' }),
      /jwks_uri: .* not on the public internet/,
    ],
    client_secret_jwt: [
      () => ({ token_endpoint_auth_method: 'client_secret_jwt' }),
      /token_endpoint_auth_method must be/,
    ],
    'an HMAC as signature': [
      async () => ({
        jwks: (await makeClientKey()).jwks,
        token_endpoint_auth_signing_alg: 'HS256',
      }),
      /token_endpoint_auth_signing_alg must be/,
    ],
  }
  it.each(Object.keys(refused))('is told what is wrong with %s', async (name) => {
    const [metadata, words] = refused[name] as [() => object, RegExp]
    const { status, body } = await register(await metadata())
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(body.error_description).toMatch(words)
  })
})

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
