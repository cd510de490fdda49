import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { authorizeWithPkce, newPkce, offline, refresh, requestToken } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, cli } = await startOAuthWorld()
const pair = await generateKeyPair('ES256')
const key = { privateKey: pair.privateKey, jwk: await exportJWK(pair.publicKey) }
const now = () => Math.floor(Date.now() / 1000)
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Returns the claims of a valid proof. @param token the access token that is also sent, if any */
const claimsOf = (method: string, path: string, token?: string): Record<string, unknown> => ({
  htm: method,
  htu: `${config().BASE_URL}${path}`,
  jti: randomUUID(),
  iat: now(),
  ...(token ? { ath: hash(token) } : {}),
})
const sign = (claims: object, header: object = {}) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header })
    .sign(key.privateKey)
const proof = (method: string, path: string, token?: string) => sign(claimsOf(method, path, token))

/** Signs in to the app, which sends a proof with the code. @returns the token response */
const newToken = async (dpop: string) =>
  requestToken(cli, await authorizeWithPkce(owner.browser, cli, offline), { dpop })
const boundTokens = async () => (await newToken(await proof('POST', '/oauth/token'))).body

describe('DPoP', () => {
  const me = (authorization: string, dpop?: string) =>
    server.fetch('/oauth/me', { headers: { authorization, ...(dpop ? { dpop } : {}) } })
  const query = (authorization: string, dpop?: string) =>
    server
      .fetch('/graphql/v2', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...(dpop ? { dpop } : {}) },
        body: JSON.stringify({ query: '{ me { id } }' }),
      })
      .then(
        async (response) =>
          (await response.json()) as {
            data?: { me?: { id: string } }
            errors?: { extensions: { code: string } }[]
          },
      )

  it('binds tokens to the key, so that /oauth/me and the API require a proof', async () => {
    const tokens = await boundTokens()
    expect(tokens.token_type).toBe('DPoP')
    const token = tokens.access_token as string
    expect((await me(`Bearer ${token}`)).status).toBe(401)
    expect((await me(`DPoP ${token}`, await proof('GET', '/oauth/me', token))).status).toBe(200)
    const bearer = await query(`Bearer ${token}`)
    expect(bearer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    const proven = await query(`DPoP ${token}`, await proof('POST', '/graphql/v2', token))
    expect(proven.data?.me?.id).toBe(owner.user.id)
  })

  it('limits a proof to one use, and to its method, URL, and token', async () => {
    const token = (await boundTokens()).access_token as string
    const once = await proof('POST', '/graphql/v2', token)
    expect((await query(`DPoP ${token}`, once)).data?.me?.id).toBe(owner.user.id)
    const wrong = [
      once,
      await proof('GET', '/graphql/v2', token),
      await proof('POST', '/oauth/me', token),
      await proof('POST', '/graphql/v2', 'another token'),
      await proof('POST', '/graphql/v2'),
      'no.proof.atall',
    ]
    for (const each of wrong) {
      expect((await query(`DPoP ${token}`, each)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    }
    const atMe = await proof('GET', '/oauth/me', token)
    expect((await me(`DPoP ${token}`, atMe)).status).toBe(200)
    expect((await me(`DPoP ${token}`, atMe)).status).toBe(401)
  })

  describe('an invalid proof', () => {
    const claims = (token: string) => claimsOf('POST', '/graphql/v2', token)
    type Changed = { header?: object; claims?: object }
    const signed = (token: string, changed: Changed = {}) =>
      sign({ ...claims(token), ...changed.claims }, changed.header)
    /** Replaces the header or body of a valid proof but keeps its signature. No library supports this. */
    const forged = async (token: string, header: object, body?: object) => {
      const [, payload, signature] = (await signed(token)).split('.')
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return [part(header), body ? part(body) : payload, signature].join('.')
    }
    const withJwk = (jwk: unknown) => (token: string) => forged(token, { alg: 'ES256', typ: 'dpop+jwt', jwk })
    const coordinate = Buffer.alloc(32, 1).toString('base64url')

    const proofs: [string, (token: string) => Promise<string> | string][] = [
      ['a private key in the header', async (token) => withJwk({ ...key.jwk, d: coordinate })(token)],
      [
        'its own private key in the header',
        async (token) => {
          const pair = await generateKeyPair('ES256', { extractable: true })
          const jwk = await exportJWK(pair.privateKey)
          return new SignJWT(claims(token))
            .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
            .sign(pair.privateKey)
        },
      ],
      [
        'a point that is not on the curve',
        withJwk({ kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate }),
      ],
      ['a key of another curve', withJwk({ kty: 'EC', crv: 'P-384', x: coordinate, y: coordinate })],
      ['a key of an unknown type', withJwk({ kty: 'XX' })],
      ['a symmetric key', withJwk({ kty: 'oct', k: coordinate })],
      ['a key that contains numbers', withJwk({ kty: 'EC', crv: 'P-256', x: 1, y: {} })],
      ['a key of the wrong length', withJwk({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' })],
      ['an empty key', withJwk({})],
      ['no key', withJwk(undefined)],
      ['a key that is null', withJwk(null)],
      ['a key that is an array', withJwk([])],
      ['a key that is a string', withJwk('key')],
      ['key_ops that do not include verify', (token) => withJwk({ ...key.jwk, key_ops: ['sign'] })(token)],
      ['no algorithm', (token) => forged(token, { alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })],
      ['a symmetric algorithm', (token) => forged(token, { alg: 'HS256', typ: 'dpop+jwt', jwk: key.jwk })],
      [
        'an algorithm for another type of key',
        (token) => forged(token, { alg: 'EdDSA', typ: 'dpop+jwt', jwk: key.jwk }),
      ],
      [
        'an unknown critical header',
        (token) => forged(token, { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, crit: ['x'], x: 1 }),
      ],
      ['another type', (token) => signed(token, { header: { typ: 'JWT' } })],
      [
        'a modified body',
        (token) => forged(token, { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk }, claims(token)),
      ],
      ['an ID that is an object', (token) => signed(token, { claims: { jti: { a: 1 } } })],
      ['an ID that is a number', (token) => signed(token, { claims: { jti: 1 } })],
      ['an empty ID', (token) => signed(token, { claims: { jti: '' } })],
      ['no ID', (token) => signed(token, { claims: { jti: undefined } })],
      ['a time that is a string', (token) => signed(token, { claims: { iat: 'now' } })],
      ['an old time', (token) => signed(token, { claims: { iat: 1 } })],
      ['a time in the future', (token) => signed(token, { claims: { iat: 9_999_999_999 } })],
      ['a URL that is an object', (token) => signed(token, { claims: { htu: {} } })],
      ['an invalid URL', (token) => signed(token, { claims: { htu: '//' } })],
      ['a method that is an array', (token) => signed(token, { claims: { htm: ['POST'] } })],
      ['a hash that is an object', (token) => signed(token, { claims: { ath: {} } })],
      ['two proofs in one header', async (token) => `${await signed(token)}, ${await signed(token)}`],
      ['only dots instead of a JWT', () => '..'],
      ['a header that is not JSON', () => 'bm8.bm8.bm8'],
      ['an encrypted token instead of a signed one', () => 'a.b.c.d.e'],
      ['a long text instead of a JWT', () => 'x'.repeat(8_000)],
    ]

    let token = ''
    beforeAll(async () => {
      token = (await boundTokens()).access_token as string
    })

    it.each(proofs)('with %s is rejected', async (_what, make) => {
      const proof = await make(token)
      expect((await query(`DPoP ${token}`, proof)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
      expect((await me(`DPoP ${token}`, proof)).status).toBeLessThan(500)
    })

    it('is derived from a valid proof, which the server accepts', async () => {
      expect((await query(`DPoP ${token}`, await signed(token))).data?.me?.id).toBe(owner.user.id)
    })
  })

  it('binds a public client’s refresh token to the key', async () => {
    const tokens = await boundTokens()
    const stolen = await refresh(cli, tokens.refresh_token as string)
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    const own = await requestToken(
      cli,
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string },
      { dpop: await proof('POST', '/oauth/token') },
    )
    expect([own.status, own.body.token_type]).toEqual([200, 'DPoP'])
  })
})

describe('the endpoints that accept DPoP proofs', () => {
  let token: string

  type Changes = { header?: object; claims?: Record<string, unknown> }
  type Make = (claims: Record<string, unknown>) => Changes

  /** Signs a proof for an endpoint. @param bound whether an access token is also sent */
  function signFor(method: string, path: string, bound: boolean, make: Make = () => ({})) {
    const claims = claimsOf(method, path, bound ? token : undefined)
    const changes = make(claims)
    return sign({ ...claims, ...changes.claims }, changes.header)
  }

  const post = (path: string, body: string, headers: Record<string, string>) =>
    server.fetch(path, { method: 'POST', headers, body })
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const authorization = () => ({ authorization: `DPoP ${token}` })

  /** Sends a proof to each endpoint. @returns whether it was accepted */
  const endpoints: Record<string, (make?: Make) => Promise<boolean>> = {
    '/oauth/token': async (make) =>
      (await newToken(await signFor('POST', '/oauth/token', false, make))).status === 200,
    '/oauth/request': async (make) => {
      const dpop = await signFor('POST', '/oauth/request', false, make)
      const reply = await post(
        '/oauth/request',
        new URLSearchParams({
          client_id: cli.clientId,
          redirect_uri: cli.redirectUri,
          response_type: 'code',
          scope: 'openid',
          ...newPkce().pkce,
        }).toString(),
        { 'content-type': 'application/x-www-form-urlencoded', dpop },
      )
      return reply.status === 201
    },
    '/oauth/me': async (make) => {
      const dpop = await signFor('GET', '/oauth/me', true, make)
      return (await server.fetch('/oauth/me', { headers: { ...authorization(), dpop } })).status === 200
    },
    '/graphql/v2': async (make) => {
      const dpop = await signFor('POST', '/graphql/v2', true, make)
      const body = JSON.stringify({ query: '{ me { id } }' })
      const reply = await post('/graphql/v2', body, { ...json, ...authorization(), dpop })
      return (await reply.json()).data?.me?.id === owner.user.id
    },
    '/mcp': async (make) => {
      const dpop = await signFor('POST', '/mcp', true, make)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      return (await post('/mcp', body, { ...json, ...authorization(), dpop })).status === 200
    },
  }

  beforeAll(async () => {
    token = String((await boundTokens()).access_token)
  })

  const accepted: [string, Make][] = [
    ['the values that common libraries send', () => ({})],
    ['an ID of 256 characters', () => ({ claims: { jti: randomUUID().padEnd(256, 'a') } })],
    ['a query and a fragment in the URL', ({ htu }) => ({ claims: { htu: `${htu}?a=b#c` } })],
    [
      'a URL with an uppercase host',
      ({ htu }) => ({
        claims: { htu: String(htu).replace('localhost', 'LOCALHOST') },
      }),
    ],
    ['a time with a fraction', () => ({ claims: { iat: now() - 0.5 } })],
    ['a time from a clock that is four minutes slow', () => ({ claims: { iat: now() - 240 } })],
    ['a time from a clock that is four minutes fast', () => ({ claims: { iat: now() + 240 } })],
    ['an uppercase type', () => ({ header: { typ: 'DPOP+JWT' } })],
    ['additional claims', () => ({ claims: { iss: 'me', extra: { a: 1 } } })],
  ]
  const refused: [string, Make][] = [
    ['an ID of 257 characters', () => ({ claims: { jti: randomUUID().padEnd(257, 'a') } })],
    ['an ID of 9,000 characters', () => ({ claims: { jti: randomUUID().padEnd(9_000, 'a') } })],
    ['more than 8,192 characters', () => ({ claims: { extra: 'a'.repeat(8_192) } })],
    ['no ID', () => ({ claims: { jti: undefined } })],
    ['an empty ID', () => ({ claims: { jti: '' } })],
    ['a time from a clock that is six minutes slow', () => ({ claims: { iat: now() - 360 } })],
    ['a time from a clock that is six minutes fast', () => ({ claims: { iat: now() + 360 } })],
    ['no time', () => ({ claims: { iat: undefined } })],
    ['credentials in the URL', ({ htu }) => ({ claims: { htu: String(htu).replace('//', '//me:pw@') } })],
    ['a trailing slash in the URL', ({ htu }) => ({ claims: { htu: `${htu}/` } })],
    ['a lowercase method', ({ htm }) => ({ claims: { htm: String(htm).toLowerCase() } })],
    ['a nonce that is not a string', () => ({ claims: { nonce: 1 } })],
    ['an expiry in the past', () => ({ claims: { exp: now() - 60 } })],
    ['another type', () => ({ header: { typ: 'JWT' } })],
  ]

  it.each(accepted)('accept a proof with %s', async (_what, make) => {
    for (const [path, send] of Object.entries(endpoints))
      expect([path, await send(make)]).toEqual([path, true])
  })

  it.each(refused)('reject a proof with %s', async (_what, make) => {
    for (const [path, send] of Object.entries(endpoints))
      expect([path, await send(make)]).toEqual([path, false])
  })

  it('store the ID of a proof until the proof expires, even if the client’s clock is fast', async () => {
    for (const [path, send] of Object.entries(endpoints)) {
      const jti = randomUUID()
      const iat = now() + 290
      const make = () => ({ claims: { jti, iat } })
      expect([path, await send(make)]).toEqual([path, true])
      expect([path, await send(make)]).toEqual([path, false])
      const row = await prisma().oAuthArtifact.findUniqueOrThrow({
        where: { hash: new Uint8Array(hashCredential(hash(`${cli.clientId}${jti}`))) },
      })
      expect(Number(row.expiresAt) / 1000).toBeGreaterThanOrEqual(iat + 300 - 1)
    }
  })

  it('reject a proof with the ID of a proof that another endpoint has accepted', async () => {
    const jti = randomUUID()
    expect(await endpoints['/graphql/v2']?.(() => ({ claims: { jti } }))).toBe(true)
    for (const path of ['/oauth/me', '/mcp', '/oauth/token']) {
      expect([path, await endpoints[path]?.(() => ({ claims: { jti } }))]).toEqual([path, false])
    }
  })
})
