import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { listFailures } from '@/lib/features/apps/activity/failures'
import { type ClientKey, makeClientKey } from '@/lib/testing/client-key'
import { authorize, challengeOf, newVerifier, requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld } from '@/lib/testing/oauth-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

const server = await startOAuthServer()

describe('the server, with private_key_jwt,', async () => {
  const { owner, web } = await makeOAuthWorld()

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

  const issuer = () => `${config().BASE_URL}/oauth`
  const verifier = newVerifier()
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }

  const makeApp = (key: ClientKey, metadata: object = {}) =>
    owner
      .makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks, ...metadata } })
      .then((app): TestApp => ({ ...app, secret: undefined }))

  const newCode = async (app: TestApp) => (await authorize(owner.browser, app, pkce)).get('code') as string

  const redeem = (app: TestApp, code: string, proof: Record<string, string>) =>
    requestToken(app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      ...proof,
    })

  /** Exchanges a code with the given client authentication. */
  const exchange = async (app: TestApp, proof: Record<string, string>) =>
    redeem(app, await newCode(app), proof)

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
    const codes = [await newCode(app), await newCode(app)]
    const answers = await Promise.all(codes.map((code) => redeem(app, code, assertion)))
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
      const actor = {
        kind: 'session' as const,
        userId: owner.user.id,
        sessionId: owner.user.id,
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

describe('key sets of clients', async () => {
  const { owner } = await makeOAuthWorld()

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
  const makeApp = (address = `${host.origin}/keys.json`) =>
    owner.makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address } })

  /** Pushes a request that is authenticated with a key. @returns the status, and the error if there is one */
  async function push(app: TestApp, key: ClientKey) {
    const request = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' }
    const proof = await key.assertion(app.clientId)
    const response = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({ client_id: app.clientId, ...request, ...proof }),
    })
    return [response.status, ((await response.json()) as { error?: string }).error]
  }

  const accepted = [201, undefined]
  const refused = [400, 'invalid_client']

  describe('a key set with a cache lifetime of a year', () => {
    it('is fetched again after a minute, so that withdrawn keys are rejected and new keys are accepted', async () => {
      const [old, next] = [await makeClientKey(), await makeClientKey()]
      answer = { status: 200, body: old.jwks }
      const app = await makeApp()
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
      const app = await makeApp()
      expect(await push(app, key)).toEqual(refused)
      answer = { status: 200, body: key.jwks }
      aMinuteLater()
      expect(await push(app, key)).toEqual(accepted)
    })

    it('authenticates no client a minute after its host starts to return errors', async () => {
      const key = await makeClientKey()
      answer = { status: 200, body: key.jwks }
      const app = await makeApp()
      expect(await push(app, key)).toEqual(accepted)
      answer = { status: 503, body: {} }
      aMinuteLater()
      expect(await push(app, key)).toEqual(refused)
    })

    it('is fetched again after a minute even if the host name of its URL is in uppercase', async () => {
      const [old, next] = [await makeClientKey(), await makeClientKey()]
      answer = { status: 200, body: old.jwks }
      const app = await makeApp(`${host.origin.replace('localhost', 'LOCALHOST')}/keys.json`)
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
        const response = await server.fetch('/oauth/register', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...metadata, ...more }),
        })
        return [response.status, ((await response.json()) as { error?: string }).error]
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
