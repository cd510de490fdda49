import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { authorize, challengeOf, newVerifier, offline, requestToken } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/** A DPoP proof is accepted by every endpoint that reads one, or by none. */
const { server, owner, cli } = await startOAuthWorld()
let key: { privateKey: CryptoKey; jwk: JWK }
let token: string

type Changes = { header?: object; claims?: Record<string, unknown> }
type Make = (claims: Record<string, unknown>) => Changes

const now = () => Math.floor(Date.now() / 1000)
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Signs a proof for an endpoint. @param path of the endpoint @param bound whether an access token goes with it */
function sign(method: string, path: string, bound: boolean, make: Make = () => ({})) {
  const claims: Record<string, unknown> = {
    htm: method,
    htu: `${config().BASE_URL}${path}`,
    jti: randomUUID(),
    iat: now(),
    ...(bound ? { ath: hash(token) } : {}),
  }
  const { header = {}, claims: changed = {} } = make(claims)
  return new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header })
    .sign(key.privateKey)
}

const post = (path: string, body: string, headers: Record<string, string>) =>
  server.fetch(path, { method: 'POST', headers, body })
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const authorization = () => ({ authorization: `DPoP ${token}` })

async function newToken(dpop: string) {
  const verifier = newVerifier()
  const challenge = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const answer = await authorize(owner.browser, cli, { ...offline, ...challenge })
  const fields = {
    grant_type: 'authorization_code',
    code: String(answer.get('code')),
    redirect_uri: cli.redirectUri,
    code_verifier: verifier,
  }
  return requestToken(cli, fields, { dpop })
}

/** Sends a proof to each endpoint. @returns whether it was accepted */
const endpoints: Record<string, (make?: Make) => Promise<boolean>> = {
  '/oauth/token': async (make) =>
    (await newToken(await sign('POST', '/oauth/token', false, make))).status === 200,
  '/oauth/request': async (make) => {
    const dpop = await sign('POST', '/oauth/request', false, make)
    const reply = await post(
      '/oauth/request',
      new URLSearchParams({
        client_id: cli.clientId,
        redirect_uri: cli.redirectUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge: challengeOf(newVerifier()),
        code_challenge_method: 'S256',
      }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded', dpop },
    )
    return reply.status === 201
  },
  '/oauth/me': async (make) => {
    const dpop = await sign('GET', '/oauth/me', true, make)
    return (await server.fetch('/oauth/me', { headers: { ...authorization(), dpop } })).status === 200
  },
  '/graphql/v2': async (make) => {
    const dpop = await sign('POST', '/graphql/v2', true, make)
    const body = JSON.stringify({ query: '{ me { id } }' })
    const reply = await post('/graphql/v2', body, { ...json, ...authorization(), dpop })
    return (await reply.json()).data?.me?.id === owner.person.id
  },
  '/mcp': async (make) => {
    const dpop = await sign('POST', '/mcp', true, make)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return (await post('/mcp', body, { ...json, ...authorization(), dpop })).status === 200
  },
}

beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  key = { privateKey: pair.privateKey, jwk: await exportJWK(pair.publicKey) }
  token = String((await newToken(await sign('POST', '/oauth/token', false))).body.access_token)
})

const accepted: [string, Make][] = [
  ['as libraries make it', () => ({})],
  ['an id of 256 characters', () => ({ claims: { jti: randomUUID().padEnd(256, 'a') } })],
  ['a query and a fragment in the address', ({ htu }) => ({ claims: { htu: `${htu}?a=b#c` } })],
  [
    'an address with its host in capitals',
    ({ htu }) => ({
      claims: { htu: String(htu).replace('localhost', 'LOCALHOST') },
    }),
  ],
  ['a time with a fraction', () => ({ claims: { iat: now() - 0.5 } })],
  ['a clock that is four minutes slow', () => ({ claims: { iat: now() - 240 } })],
  ['a clock that is four minutes fast', () => ({ claims: { iat: now() + 240 } })],
  ['a type in capitals', () => ({ header: { typ: 'DPOP+JWT' } })],
  ['claims of its own', () => ({ claims: { iss: 'me', extra: { a: 1 } } })],
]
const refused: [string, Make][] = [
  ['an id of 257 characters', () => ({ claims: { jti: randomUUID().padEnd(257, 'a') } })],
  ['an id of 9,000 characters', () => ({ claims: { jti: randomUUID().padEnd(9_000, 'a') } })],
  ['more than 8,192 characters', () => ({ claims: { extra: 'a'.repeat(8_192) } })],
  ['no id', () => ({ claims: { jti: undefined } })],
  ['an empty id', () => ({ claims: { jti: '' } })],
  ['a clock that is six minutes slow', () => ({ claims: { iat: now() - 360 } })],
  ['a clock that is six minutes fast', () => ({ claims: { iat: now() + 360 } })],
  ['no time', () => ({ claims: { iat: undefined } })],
  ['credentials in the address', ({ htu }) => ({ claims: { htu: String(htu).replace('//', '//me:pw@') } })],
  ['a slash after the address', ({ htu }) => ({ claims: { htu: `${htu}/` } })],
  ['the method in small letters', ({ htm }) => ({ claims: { htm: String(htm).toLowerCase() } })],
  ['a nonce that is no text', () => ({ claims: { nonce: 1 } })],
  ['an end that has passed', () => ({ claims: { exp: now() - 60 } })],
  ['another type', () => ({ header: { typ: 'JWT' } })],
]

it.each(accepted)('every endpoint accepts a proof with %s', async (_what, make) => {
  for (const [path, send] of Object.entries(endpoints)) expect([path, await send(make)]).toEqual([path, true])
})

it.each(refused)('every endpoint refuses a proof with %s', async (_what, make) => {
  for (const [path, send] of Object.entries(endpoints))
    expect([path, await send(make)]).toEqual([path, false])
})

it('remembers a proof for as long as it is good, also one from a clock that is ahead', async () => {
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

it('a proof that one endpoint has used is refused by the others', async () => {
  const jti = randomUUID()
  expect(await endpoints['/graphql/v2']?.(() => ({ claims: { jti } }))).toBe(true)
  for (const path of ['/oauth/me', '/mcp', '/oauth/token']) {
    expect([path, await endpoints[path]?.(() => ({ claims: { jti } }))]).toEqual([path, false])
  }
})
