import { createHmac, createPublicKey, randomUUID, sign as signRaw } from 'node:crypto'
import type { JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { updateApp } from '@/lib/features/apps/update-app'
import { sessionOf } from '@/lib/testing/installation-world'
import { codeGrant } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSigner } from '@/lib/testing/sso-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

/** Attempts to authenticate as an app with a foreign, modified, or used assertion. */
const { server, owner, web, cli } = await startOAuthWorld()

type Signer = Awaited<ReturnType<typeof makeSigner>>

const key = await makeSigner()
const stranger = await makeSigner()
const rsa = await makeSigner('RS256')
let fetched = 0
let host: TlsServer
beforeAll(async () => {
  host = await startOutsideServer((_req, res) => {
    fetched++
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [stranger.jwk] }))
  })
})
afterAll(() => host.close())

const makeApp = (...keys: JWK[]) =>
  owner.makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } } })
const app = await makeApp(key.jwk)
const neighbor = await makeApp(stranger.jwk)

const base = () => config().BASE_URL
const issuer = () => `${base()}/oauth`
const now = () => Math.floor(Date.now() / 1000)
const sound = (): Record<string, unknown> => ({
  iss: app.clientId,
  sub: app.clientId,
  aud: issuer(),
  jti: randomUUID(),
  iat: now(),
  exp: now() + 60,
})
const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
const withSignature = (input: string, by: Signer): string => {
  const [hash, dsa] = by.alg === 'ES256' ? ['sha256', { dsaEncoding: 'ieee-p1363' as const }] : ['sha256', {}]
  return signRaw(hash, Buffer.from(input), { key: by.privateKey as never, ...dsa }).toString('base64url')
}
/** Signs a header and claims, each given as an object or as raw text. */
function make(
  claims: unknown = sound(),
  header: unknown = { alg: 'ES256', kid: key.jwk.kid },
  by: Signer = key,
) {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${withSignature(input, by)}`
}
const changed = (changes: object) => make({ ...sound(), ...changes })
const withHeader = (header: object, by: Signer = key) =>
  make(sound(), { alg: 'ES256', kid: key.jwk.kid, ...header }, by)
const hmac = (secret: string | Buffer, header: object = {}) => {
  const input = `${encode({ alg: 'HS256', kid: key.jwk.kid, ...header })}.${encode(sound())}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const jwtType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const request = () => ({ redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' })
const paths: Record<string, () => Record<string, string>> = {
  '/oauth/request': request,
  '/oauth/token': () => codeGrant(app, 'none'),
  '/oauth/device/auth': () => ({ scope: 'openid' }),
  '/oauth/token/introspection': () => ({ token: 'x' }),
  '/oauth/token/revocation': () => ({ token: 'x' }),
}

type Sent = {
  path?: string
  fields?: [string, string][]
  headers?: Record<string, string>
  clientId?: string | null
}

/** Sends an assertion. @returns the status, and the error if there is one */
async function send(
  assertion: string,
  { path = '/oauth/request', fields = [], headers, clientId }: Sent = {},
) {
  const body = new URLSearchParams(paths[path]?.())
  if (clientId !== null) body.set('client_id', clientId ?? app.clientId)
  body.set('client_assertion_type', jwtType)
  body.set('client_assertion', assertion)
  for (const [name, value] of fields) {
    if (name.startsWith('=')) body.set(name.slice(1), value)
    else body.append(name, value)
  }
  const response = await server.fetch(path, { method: 'POST', body, ...(headers ? { headers } : {}) })
  const text = await response.text()
  const { error } = text ? (JSON.parse(text) as { error?: string }) : {}
  return [response.status, error] as const
}

const accepted = [201, undefined]
async function expectRefused(assertion: string, sent: Sent = {}) {
  const [status, error] = await send(assertion, sent)
  expect([status, error]).toEqual([expect.any(Number), expect.stringMatching(/^invalid_(client|request)$/)])
  expect([400, 401]).toContain(status)
}

it('the server accepts the valid assertion from which the forged ones are derived', async () => {
  expect(await send(make())).toEqual(accepted)
  expect((await send(make(), { clientId: null, path: '/oauth/token' }))[1]).toBe('invalid_grant')
})

describe('the server rejects an assertion with a header that', () => {
  const publicKey = createPublicKey({ key: key.jwk as never, format: 'jwk' })
  const spki = String(publicKey.export({ type: 'spki', format: 'pem' }))
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const { kid: _, use: __, alg: ___, ...bare } = key.jwk
  const unsigned = (alg: unknown) => `${encode({ alg })}.${encode(sound())}.`
  const headers: Record<string, () => string> = {
    'names no algorithm': () => make(sound(), { kid: key.jwk.kid }),
    'has alg none': () => unsigned('none'),
    'has alg None': () => unsigned('None'),
    'has alg NONE and a signature': () => withHeader({ alg: 'NONE' }),
    'has an empty alg': () => withHeader({ alg: '' }),
    'has alg null': () => withHeader({ alg: null }),
    'has an array as alg': () => withHeader({ alg: ['ES256'] }),
    'has an object as alg': () => withHeader({ alg: { toString: 'ES256' } }),
    'has HS256 with the public key in PEM as the secret': () => hmac(spki),
    'has HS256 with the trimmed PEM as the secret': () => hmac(spki.trim()),
    'has HS256 with the public key in DER as the secret': () => hmac(der),
    'has HS256 with the JWK as the secret': () => hmac(JSON.stringify(key.jwk)),
    'has HS256 with the minimal JWK as the secret': () => hmac(JSON.stringify(bare)),
    'has HS256 with a coordinate of the public key as the secret': () =>
      hmac(Buffer.from(String(key.jwk.x), 'base64url')),
    'has HS256 with a former secret of the app': () => hmac(String(app.secret)),
    'has HS256 with an empty secret': () => hmac(''),
    'has RS256 for an ES256 key': () => withHeader({ alg: 'RS256' }),
    'has ES384 for an ES256 key': () => withHeader({ alg: 'ES384' }),
    'has RS256 with an unregistered key': () => withHeader({ alg: 'RS256' }, rsa),
    'has alg dir, like an encrypted token': () => withHeader({ alg: 'dir', enc: 'A128GCM' }),
    'contains its own jwk': () => withHeader({ jwk: stranger.jwk, kid: stranger.jwk.kid }, stranger),
    'contains its own jwk with the app’s kid': () => withHeader({ jwk: stranger.jwk }, stranger),
    'names its own jku': () => withHeader({ jku: `${host.origin}/keys`, kid: stranger.jwk.kid }, stranger),
    'names its own x5u': () => withHeader({ x5u: `${host.origin}/x5u` }, stranger),
    'contains its own x5c': () => withHeader({ x5c: [der.toString('base64')] }, stranger),
    'names a file as kid': () => withHeader({ kid: '../../../dev/null' }, stranger),
    'has SQL as kid': () => withHeader({ kid: "' OR '1'='1" }, stranger),
    'has an address as kid': () => withHeader({ kid: `${host.origin}/keys` }, stranger),
    'has no kid, and another key signs it': () => withHeader({ kid: undefined }, stranger),
    'has an array as kid, and another key signs it': () => withHeader({ kid: [key.jwk.kid] }, stranger),
    'has NUL as kid, and another key signs it': () => withHeader({ kid: '\0' }, stranger),
    'has __proto__ as kid': () => withHeader({ kid: '__proto__' }, stranger),
    'requires an unknown extension': () => withHeader({ crit: ['exp'] }),
    'requires a custom extension': () => withHeader({ crit: ['x'], x: 1 }),
    'has an empty crit': () => withHeader({ crit: [] }),
    'requires unencoded claims': () => withHeader({ crit: ['b64'], b64: false }),
    'is null': () => make(sound(), 'null'),
    'is an array': () => make(sound(), '[]'),
    'is a string': () => make(sound(), '"ES256"'),
    'is not JSON': () => make(sound(), '{"alg":"ES256"'),
    'is empty': () => make(sound(), ''),
  }
  it.each(Object.keys(headers))('%s', async (name) => {
    const before = fetched
    await expectRefused(String(headers[name]?.()))
    expect(fetched).toBe(before)
  })
})

describe('the server rejects an assertion with claims that', () => {
  const { clientId } = app
  const claims: Record<string, () => object> = {
    'name no issuer': () => ({ iss: undefined }),
    'name another issuer': () => ({ iss: neighbor.clientId }),
    'name this service as issuer': () => ({ iss: issuer() }),
    'name the issuer in a list': () => ({ iss: [clientId] }),
    'name the issuer with a space': () => ({ iss: `${clientId} ` }),
    'name no subject': () => ({ sub: undefined }),
    'name null as subject': () => ({ sub: null }),
    'name an empty subject': () => ({ sub: '' }),
    'name another app as subject': () => ({ sub: neighbor.clientId }),
    'name another app as subject and issuer': () => ({ sub: neighbor.clientId, iss: neighbor.clientId }),
    'name the subject in a list': () => ({ sub: [clientId] }),
    'name a number as subject': () => ({ sub: 5 }),
    'name true as subject': () => ({ sub: true }),
    'name an object as subject': () => ({ sub: { id: clientId } }),
    'have NUL in the subject': () => ({ sub: `${clientId}\0` }),
    'have a lone surrogate as subject': () => ({ sub: '\ud800' }),
    'name a long subject': () => ({ sub: 'x'.repeat(5_000) }),
    'name no audience': () => ({ aud: undefined }),
    'name null as audience': () => ({ aud: null }),
    'name an empty audience': () => ({ aud: '' }),
    'have an empty list as audience': () => ({ aud: [] }),
    'name a number as audience': () => ({ aud: 1 }),
    'name an object as audience': () => ({ aud: { [issuer()]: true } }),
    'nest the audience': () => ({ aud: [[issuer()]] }),
    'mix strings and numbers as audience': () => ({ aud: [issuer(), 1] }),
    'have this instance, not its issuer, as audience': () => ({ aud: base() }),
    'have the issuer with a slash as audience': () => ({ aud: `${issuer()}/` }),
    'have the issuer in capitals as audience': () => ({ aud: issuer().toUpperCase() }),
    'have the issuer with a query as audience': () => ({ aud: `${issuer()}?a=b` }),
    'have the issuer with another scheme as audience': () => ({ aud: issuer().replace('http:', 'https:') }),
    'have the issuer with another port as audience': () => ({ aud: 'http://localhost:1/oauth' }),
    'have the issuer on another host as audience': () => ({ aud: `${base()}.evil.example/oauth` }),
    'have the API as audience': () => ({ aud: `${base()}/graphql/v2` }),
    'have the key set as audience': () => ({ aud: `${issuer()}/jwks` }),
    'have the authorization endpoint as audience': () => ({ aud: `${issuer()}/auth` }),
    'have another endpoint of this instance as audience': () => ({ aud: `${issuer()}/token/revocation` }),
    'have no expiry': () => ({ exp: undefined }),
    'have null as expiry': () => ({ exp: null }),
    'have 0 as expiry': () => ({ exp: 0 }),
    'have a negative expiry': () => ({ exp: -1 }),
    'have a string as expiry': () => ({ exp: String(now() + 60) }),
    'have true as expiry': () => ({ exp: true }),
    'have an array as expiry': () => ({ exp: [now() + 60] }),
    'expired more than five minutes ago': () => ({ exp: now() - 301 }),
    'expire in two hours': () => ({ exp: now() + 7_200 }),
    'have an expiry in milliseconds': () => ({ exp: Date.now() + 60_000 }),
    'have an impossible expiry': () => ({ exp: 1e308 }),
    'were issued in the future': () => ({ iat: now() + 330 }),
    'have a string as issue time': () => ({ iat: 'now' }),
    'have a start time in the future': () => ({ nbf: now() + 330 }),
    'have a string as start time': () => ({ nbf: '0' }),
    'have no ID': () => ({ jti: undefined }),
    'have null as ID': () => ({ jti: null }),
    'have an empty ID': () => ({ jti: '' }),
    'have a number as ID': () => ({ jti: 7 }),
    'have an array as ID': () => ({ jti: ['a'] }),
    'have an object as ID': () => ({ jti: {} }),
  }
  it.each(Object.keys(claims))('%s', async (name) => {
    // Without a client_id, only the claims identify the client.
    await expectRefused(changed(claims[name]?.() as object), { clientId: null, path: '/oauth/token' })
    await expectRefused(changed(claims[name]?.() as object))
  })
})

describe('the server rejects an assertion that', () => {
  const signed = () => make().split('.') as [string, string, string]
  const swap = (claims: object) => {
    const [header, , signature] = signed()
    return `${header}.${encode({ ...sound(), ...claims })}.${signature}`
  }
  const texts: Record<string, () => string> = {
    'is empty': () => '',
    'has no signature': () => signed().slice(0, 2).join('.'),
    'has an empty signature': () => `${signed().slice(0, 2).join('.')}.`,
    'has a signature of zeros': () =>
      `${signed().slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`,
    'has the signature of another assertion': () => swap({}),
    'has modified claims': () => swap({ exp: now() + 3_000 }),
    'has a signature in DER': () => {
      const input = signed().slice(0, 2).join('.')
      return `${input}.${signRaw('sha256', Buffer.from(input), key.privateKey as never).toString('base64url')}`
    },
    'has one part too many': () => `${make()}.x`,
    'has five parts': () => `${make()}..`,
    'starts with a space': () => ` ${make()}`,
    'has claims that are null': () => make('null'),
    'has an array as claims': () => make(JSON.stringify([sound()])),
    'has a string as claims': () => make('"x"'),
    'has claims that are not JSON': () => make('{'),
    'contains two issuers': () =>
      make(JSON.stringify(sound()).replace(/}$/, `,"iss":"${neighbor.clientId}"}`)),
    'is signed with the key of another app': () =>
      make(sound(), { alg: 'ES256', kid: key.jwk.kid }, stranger),
    'is signed with the key of another app and contains the kid of that key': () =>
      make(sound(), { alg: 'ES256', kid: stranger.jwk.kid }, stranger),
  }
  it.each(Object.keys(texts))('%s', async (name) => {
    await expectRefused(String(texts[name]?.()))
  })

  it('is sent with a second authentication method, another client ID, or a repeated or wrong assertion type', async () => {
    const basic = Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')
    await expectRefused(make(), { fields: [['client_secret', String(app.secret)]] })
    await expectRefused(make(), { headers: { authorization: `Basic ${basic}` } })
    await expectRefused(make(), { headers: { authorization: 'Bearer x' } })
    await expectRefused(make(), { fields: [['client_assertion', make()]] })
    await expectRefused(make(), { fields: [['client_assertion_type', jwtType]] })
    await expectRefused(make(), { fields: [['=client_assertion_type', '']] })
    await expectRefused(make(), { fields: [['=client_assertion_type', `${jwtType} `]] })
    await expectRefused(make(), { fields: [['=client_assertion_type', jwtType.toUpperCase()]] })
    await expectRefused(make(), {
      fields: [['=client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer']],
    })
    await expectRefused(make(), { fields: [['client_id', neighbor.clientId]] })
    await expectRefused(make(), { clientId: neighbor.clientId })
    for (const other of [web, cli]) {
      await expectRefused(make(), { clientId: other.clientId })
      await expectRefused(changed({ iss: other.clientId, sub: other.clientId }), { clientId: other.clientId })
    }
  })

  it('was used before at the same or another endpoint, or has the ID of a used assertion', async () => {
    const ok = async (assertion: string, path: string) => {
      const [, error] = await send(assertion, { path })
      return error !== 'invalid_client'
    }
    for (const first of Object.keys(paths)) {
      const assertion = make()
      expect([first, await ok(assertion, first)]).toEqual([first, true])
      for (const path of Object.keys(paths)) await expectRefused(assertion, { path })
    }
    const jti = randomUUID()
    expect(await send(changed({ jti }))).toEqual(accepted)
    // The signature, dates, audience, and header can differ. Only the ID matters.
    await expectRefused(changed({ jti }))
    await expectRefused(changed({ jti, exp: now() + 3_000, iat: now() - 200 }))
    await expectRefused(changed({ jti, aud: [issuer()] }))
    await expectRefused(make({ ...sound(), jti }, { alg: 'ES256' }))
    const again = make()
    expect(await send(again)).toEqual(accepted)
    for (const end of ['', '\n', '=', '==', 'A']) await expectRefused(`${again}${end}`)
    // IDs are separate for each app, so another app can use the same ID.
    const own = { ...sound(), jti, iss: neighbor.clientId, sub: neighbor.clientId }
    const theirs = make(own, { alg: 'ES256', kid: stranger.jwk.kid }, stranger)
    expect((await send(theirs, { clientId: neighbor.clientId }))[1]).not.toBe('invalid_client')
  })

  it('is a copy of an assertion that is accepted in a parallel request', async () => {
    const assertion = make()
    const answers = await Promise.all(
      ['/oauth/request', '/oauth/token', '/oauth/request', '/oauth/token/introspection'].flatMap((path) => [
        send(assertion, { path }),
        send(assertion, { path }),
      ]),
    )
    expect(answers.filter(([, error]) => error !== 'invalid_client')).toHaveLength(1)
  })

  it('repeats an ID, which the server stores until five minutes after the first assertion expires', async () => {
    for (const exp of [now() - 290, now() + 60, now() + 3_600]) {
      const jti = randomUUID()
      expect(await send(changed({ jti, exp }))).toEqual(accepted)
      const [row] = await prisma().oAuthArtifact.findMany({
        where: { model: 'ReplayDetection' },
        orderBy: { createdAt: 'desc' },
        take: 1,
      })
      expect(Number(row?.expiresAt) / 1000).toBeGreaterThanOrEqual(exp + 300 - 1)
    }
  })

  it('is signed with a former key of the app, or with any key after the app returns to a secret', async () => {
    const former = await makeSigner()
    const next = await makeSigner()
    const { clientId } = await makeApp(former.jwk)
    const mine = (by: Signer) =>
      make({ ...sound(), iss: clientId, sub: clientId }, { alg: 'ES256', kid: by.jwk.kid }, by)
    expect((await send(mine(former), { clientId, path: '/oauth/token' }))[1]).toBe('invalid_grant')
    await updateApp(sessionOf(owner), clientId, {
      clientAuthentication: 'PRIVATE_KEY',
      publicKeys: JSON.stringify({ keys: [next.jwk] }),
    })
    await expectRefused(mine(former), { clientId, path: '/oauth/token' })
    expect((await send(mine(next), { clientId, path: '/oauth/token' }))[1]).toBe('invalid_grant')
    await updateApp(sessionOf(owner), clientId, { clientAuthentication: 'SECRET' })
    await expectRefused(mine(next), { clientId, path: '/oauth/token' })
  })
})
