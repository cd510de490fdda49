import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClientKey, makeClientKey } from '@/lib/testing/client-key'
import type { TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

const { server, owner } = await startOAuthWorld()

/** What the host of the app's keys answers, with headers that ask for it to be kept for a year. */
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

/** An app whose keys are at an address. */
const makeApp = (address = `${host.origin}/keys.json`) =>
  owner.makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address } })

/** Pushes a request that is proven by a key. @returns the status, and the error if there is one */
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

describe('A1: a key set that its host wants kept for a year', () => {
  it('loses the keys that the app withdrew within a minute, and has the new ones', async () => {
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

  it('is asked for again a minute after its host answered with an error', async () => {
    const key = await makeClientKey()
    answer = { status: 503, body: {} }
    const app = await makeApp()
    expect(await push(app, key)).toEqual(refused)
    answer = { status: 200, body: key.jwks }
    aMinuteLater()
    expect(await push(app, key)).toEqual(accepted)
  })

  it('proves nobody while its host does not answer', async () => {
    const key = await makeClientKey()
    answer = { status: 200, body: key.jwks }
    const app = await makeApp()
    expect(await push(app, key)).toEqual(accepted)
    answer = { status: 503, body: {} }
    aMinuteLater()
    expect(await push(app, key)).toEqual(refused)
  })

  it('is the same set however its address is spelled', async () => {
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
  it('are registered without private, symmetric, or malformed keys, and not at an address inside', async () => {
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
