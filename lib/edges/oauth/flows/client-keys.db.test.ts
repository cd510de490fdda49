import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { listFailures } from '@/lib/features/apps/activity/failures'
import { pushRequest, registerApp } from '@/lib/testing/app-requests'
import { type ClientKey, makeClientKey } from '@/lib/testing/client-key'
import { sessionOf } from '@/lib/testing/installation-world'
import {
  authorize,
  authorizeUrl,
  authorizeWithPkce,
  codeGrant,
  newPkce,
  requestToken,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

const { server, owner, web, cli } = await startOAuthWorld()

const issuer = () => `${config().BASE_URL}/oauth`

const makeApp = (key: ClientKey, metadata: object = {}) =>
  owner
    .makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks, ...metadata } })
    .then((app): TestApp => ({ ...app, secret: undefined }))

/** Exchanges a code with the given client authentication. */
const exchange = async (app: TestApp, proof: Record<string, string>) =>
  requestToken(app, { ...(await authorizeWithPkce(owner.browser, app)), ...proof })

describe('the server, with private_key_jwt,', () => {
  /** The server that hosts key sets at a jwks_uri. */
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

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('authenticates an app with a key for %s', async (alg) => {
    const key = await makeClientKey(alg)
    const app = await makeApp(key)
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it.each(['the issuer', 'the token endpoint'])('accepts %s as the audience', async (audience) => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const aud = audience === 'the issuer' ? [issuer()] : `${issuer()}/token`
    expect((await exchange(app, await key.assertion(app.clientId, { aud }))).status).toBe(200)
  })

  const seconds = (from: number) => Math.floor(Date.now() / 1000) + from
  const wrong: Record<string, () => JWTPayload> = {
    'for another audience': () => ({ aud: 'https://other.example' }),
    'from another issuer': () => ({ iss: web.clientId }),
    'that has expired': () => ({ exp: seconds(-301) }),
    'without an expiry': () => ({ exp: undefined }),
    'without an ID': () => ({ jti: undefined }),
    'that is valid for a year': () => ({ exp: seconds(365 * 86_400) }),
    'with an impossible expiry': () => ({ exp: 1e300 }),
    'issued in the future': () => ({ iat: seconds(330) }),
  }
  it.each(Object.keys(wrong))('rejects an assertion %s', async (name) => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const { status, body } = await exchange(app, await key.assertion(app.clientId, wrong[name]?.()))
    expect([status, body.error]).toEqual([400, 'invalid_client'])
  })

  it.each([120, -120])('accepts an assertion from a client whose clock is off by %i seconds', async (off) => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const dates = { iat: seconds(off), nbf: seconds(off), exp: seconds(off + 60) }
    expect((await exchange(app, await key.assertion(app.clientId, dates))).status).toBe(200)
  })

  it('accepts an assertion only once, even in parallel requests', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const assertion = await key.assertion(app.clientId)
    // A browser signs in to one app at a time. Only the app sends parallel requests.
    const grants = [await authorizeWithPkce(owner.browser, app), await authorizeWithPkce(owner.browser, app)]
    const answers = await Promise.all(grants.map((grant) => requestToken(app, { ...grant, ...assertion })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const again = await exchange(app, assertion)
    expect(again.body).toMatchObject({ error: 'invalid_client' })
  })

  it('rejects unregistered keys, the app’s client secret, and requests without authentication', async () => {
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

  it('requires authentication for pushed requests, device requests, introspection, and revocation', async () => {
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

  it('fetches the published key set once for two requests, and again after a change to the app', async () => {
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
    // The set is cached for a minute. If a client's row changes, its client object is created again.
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { name: 'Renamed' } })
    expect((await exchange(app, await second.assertion(app.clientId))).status).toBe(200)
  })

  it('limits how often unauthenticated clients can trigger a fetch of the key set', async () => {
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

  it('records the reason for a rejection for developers', async () => {
    const [key, other] = [await makeClientKey(), await makeClientKey()]
    const reasonFor = async (app: TestApp, assertion: Record<string, string>) => {
      await requestToken(app, { grant_type: 'authorization_code', ...assertion })
      return (await listFailures(sessionOf(owner), app.clientId))[0]?.reason
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

describe('key sets of clients', () => {
  /** A host of key sets. Its responses have cache headers for a year. */
  let host: TlsServer
  let answer: { status: number; body: unknown }
  let fetched = 0
  const year = 31_536_000
  beforeAll(async () => {
    host = await startOutsideServer((_req, res) => {
      fetched++
      res.writeHead(answer.status, {
        'content-type': 'application/json',
        'cache-control': `public, max-age=${year}`,
        expires: new Date(Date.now() + year * 1000).toUTCString(),
      })
      res.end(JSON.stringify(answer.body))
    })
  })
  afterAll(() => host.close())
  beforeEach(() => {
    fetched = 0
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const aMinuteLater = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })

  /** Creates an app with a jwks_uri. */
  const makeAppAt = (address = `${host.origin}/keys.json`) =>
    owner.makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address } })

  /** Pushes a request that is authenticated with a key. @returns the status, and the error if there is one */
  async function push(app: TestApp, key: ClientKey) {
    const proof = await key.assertion(app.clientId)
    const { status, body } = await pushRequest({ ...app, secret: undefined }, proof)
    return [status, body.error]
  }

  const accepted = [201, undefined]
  const refused = [400, 'invalid_client']

  describe('a key set with a cache lifetime of a year', () => {
    it('is fetched again after a minute, so that withdrawn keys are rejected and new keys are accepted', async () => {
      const [old, next] = [await makeClientKey(), await makeClientKey()]
      answer = { status: 200, body: old.jwks }
      const app = await makeAppAt()
      expect(await push(app, old)).toEqual(accepted)
      answer = { status: 200, body: next.jwks }
      aMinuteLater()
      expect(await push(app, old)).toEqual(refused)
      expect(await push(app, next)).toEqual(accepted)
      expect(fetched).toBe(2)
    })

    it('is fetched again a minute after its host returned an error', async () => {
      const key = await makeClientKey()
      answer = { status: 503, body: {} }
      const app = await makeAppAt()
      expect(await push(app, key)).toEqual(refused)
      answer = { status: 200, body: key.jwks }
      aMinuteLater()
      expect(await push(app, key)).toEqual(accepted)
    })

    it('authenticates no client a minute after its host starts to return errors', async () => {
      const key = await makeClientKey()
      answer = { status: 200, body: key.jwks }
      const app = await makeAppAt()
      expect(await push(app, key)).toEqual(accepted)
      answer = { status: 503, body: {} }
      aMinuteLater()
      expect(await push(app, key)).toEqual(refused)
    })

    it('is fetched again after a minute even if the host name of its URL is in uppercase', async () => {
      const [old, next] = [await makeClientKey(), await makeClientKey()]
      answer = { status: 200, body: old.jwks }
      const app = await makeAppAt(`${host.origin.replace('localhost', 'LOCALHOST')}/keys.json`)
      expect(await push(app, old)).toEqual(accepted)
      answer = { status: 200, body: next.jwks }
      aMinuteLater()
      expect(await push(app, next)).toEqual(accepted)
    })
  })

  describe('key sets', () => {
    it('are rejected if a key is private, symmetric, or malformed, if the URL is not https, or if keys and a URL are sent', async () => {
      const [jwk] = (await makeClientKey()).jwks.keys
      const d = 'AAAA'
      const wrong: unknown[] = [
        { keys: [{ ...jwk, d }] },
        { keys: [{ kty: 'oct', k: 'AAAA', alg: 'HS256' }] },
        { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }] },
        { keys: [{ ...jwk, kty: 'none' }] },
        { keys: {} },
        { keys: [null] },
        { keys: ['x'] },
        [],
        'x',
        null,
      ]
      const metadata = {
        redirect_uris: ['https://a.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
      }
      const register = async (more: object) => {
        const { status, body } = await registerApp({ ...metadata, ...more })
        return [status, body.error]
      }
      for (const jwks of wrong) {
        expect([jwks, await register({ jwks })]).toEqual([jwks, [400, 'invalid_client_metadata']])
      }
      for (const jwks_uri of [
        'http://a.example/keys',
        'file:///etc/passwd',
        'data:application/json,{}',
        'x',
        '',
        ['https://a.example/keys'],
      ]) {
        expect([jwks_uri, await register({ jwks_uri })]).toEqual([jwks_uri, [400, 'invalid_client_metadata']])
      }
      expect(await register({ jwks: { keys: [jwk] }, jwks_uri: 'https://a.example/keys' })).toEqual([
        400,
        'invalid_client_metadata',
      ])
    })
  })
})

describe('a self-registered client with a key', () => {
  const register = (metadata: object) =>
    registerApp({
      redirect_uris: ['https://agent.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      ...metadata,
    })

  it('gets no secret, and can sign users in with its key', async () => {
    const key = await makeClientKey()
    const { status, body, app } = await register({ jwks: key.jwks })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks })
    expect(body).not.toHaveProperty('client_secret')
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it('loses its secret if it registered with one and changes to a key later', async () => {
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
      /jwks: The key set contains a private key/,
    ],
    'a short RSA key': [
      () => ({
        jwks: {
          keys: [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
        },
      }),
      /jwks: Use an RSA key of at least 2048 bits/,
    ],
    'an empty set': [() => ({ jwks: { keys: [] } }), /jwks: The key set is empty/],
    'a key set on another port': [
      () => ({ jwks_uri: 'https://agent.example:8443/jwks' }),
      /jwks_uri: Use port 443/,
    ],
    'a key set at an internal address': [
      () => ({ jwks_uri: 'https://169.254.169.254/' }),
      /jwks_uri: .* not on the public internet/,
    ],
    client_secret_jwt: [
      () => ({ token_endpoint_auth_method: 'client_secret_jwt' }),
      /token_endpoint_auth_method must be/,
    ],
    'an HMAC algorithm': [
      async () => ({
        jwks: (await makeClientKey()).jwks,
        token_endpoint_auth_signing_alg: 'HS256',
      }),
      /token_endpoint_auth_signing_alg must be/,
    ],
  }
  it.each(Object.keys(refused))('gets an error for %s', async (name) => {
    const [metadata, words] = refused[name] as [() => object, RegExp]
    const { status, body } = await register(await metadata())
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(body.error_description).toMatch(words)
  })
})

describe('a request object', () => {
  const { verifier, pkce } = newPkce()

  const errorOf = async (app: TestApp, params: Record<string, string | undefined>) => {
    const response = await owner.browser.follow(authorizeUrl(app, params))
    const location = response.headers.get('location')
    return location ? new URL(location).searchParams.get('error') : response.status
  }

  it('protects the request against changes', async () => {
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
      ...codeGrant(app, answer.get('code')),
      code_verifier: verifier,
      ...(await key.assertion(app.clientId)),
    })
    expect(tokens.status).toBe(200)
    expect(await errorOf(app, {})).toBe('invalid_request')
  })

  it('is accepted only by value, and only if the app signed it for this server', async () => {
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

  it('is accepted from a native app with registered keys', async () => {
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
