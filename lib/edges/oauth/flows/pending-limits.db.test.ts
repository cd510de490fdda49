import { beforeEach, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredActivity, mostRefusals } from '@/lib/features/apps/activity/note-activity'
import { makeClientKey } from '@/lib/testing/client-key'
import { authorizeUrl, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { sendRaw } from '@/lib/testing/raw-request'
import { visitKey, visits, visitsPerMinute } from '../pages/limit-visits'
import { routes } from '../protocol/routes'
import { maxParameterLength, maxPendingBytes, pendingPerMinute } from '../store/limit-pending'

/**
 * The limits on the number and size of requests to endpoints where unauthenticated clients can store a row.
 */
const { server, owner, web } = await startOAuthWorld()
process.env.TRUST_PROXY = '1'
resetConfig()
beforeEach(() => prisma().$executeRaw`DELETE FROM rate_limits`)

const alone: TestApp = { ...web, secret: undefined }
const { unproven, proven } = pendingPerMinute
const endpoints = {
  '/oauth/request': { model: 'PushedAuthorizationRequest', accepted: 201 },
  '/oauth/device/auth': { model: 'DeviceCode', accepted: 200 },
}
type Path = keyof typeof endpoints
const paths = Object.keys(endpoints) as Path[]

const formOf = (app: TestApp, params: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: app.clientId,
    ...(app.secret ? { client_secret: app.secret } : {}),
    scope: 'openid',
    redirect_uri: app.redirectUri,
    response_type: 'code',
    ...params,
  })

/** Sends a request as a proxy on this machine would. */
async function send(path: Path, body: URLSearchParams, address = '198.51.100.1', headers = {}) {
  const reply = await server.fetch(path, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, ...headers },
    body,
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

const stored = (path: Path) => prisma().oAuthArtifact.count({ where: { model: endpoints[path].model } })

/** Sets the count of a limit, to simulate that many requests. */
const spend = (key: string, points: number) =>
  prisma().$executeRaw`UPDATE rate_limits SET points = ${points} WHERE key LIKE ${`${key}%`}`

describe.each(paths)('the endpoint %s', (path) => {
  const route = path === '/oauth/request' ? 'pushed_authorization_request' : 'device_authorization'
  const { accepted } = endpoints[path]

  it('accepts a limited burst from one IP address, and answers 429 to further requests without storing them', async () => {
    const before = await stored(path)
    const replies = await Promise.all(Array.from({ length: 150 }, () => send(path, formOf(alone))))
    const refused = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === accepted)).toHaveLength(unproven.address)
    expect(refused).toHaveLength(150 - unproven.address)
    expect((await stored(path)) - before).toBe(unproven.address)
    for (const { headers, body } of refused) {
      expect(body).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringContaining('too many'),
      })
      const wait = Number(headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
    }
    expect((await send(path, formOf(alone), '203.0.113.9')).status).toBe(accepted)
  })

  it('counts two addresses of an IPv6 network as one', async () => {
    await send(path, formOf(alone), '2001:db8::1')
    await spend(`${route} unproven address`, unproven.address)
    expect((await send(path, formOf(alone), '2001:db8::2')).status).toBe(429)
  })

  it('limits an app regardless of how many IP addresses it uses', async () => {
    await send(path, formOf(alone), '198.51.100.2')
    await spend(`${route} unproven client`, unproven.client)
    const before = await stored(path)
    expect((await send(path, formOf(alone), '198.51.100.3')).status).toBe(429)
    expect(await stored(path)).toBe(before)
    const other = { ...(await owner.makeApp()), secret: undefined }
    expect((await send(path, formOf(other), '198.51.100.3')).status).toBe(accepted)
  })

  it('keeps requests without credentials from using up the limit of an app that authenticates', async () => {
    await send(path, formOf(alone))
    await spend(`${route} unproven`, unproven.client)
    expect((await send(path, formOf(alone))).status).toBe(429)
    expect((await send(path, formOf(web))).status).toBe(accepted)
    await spend(`${route} proven client`, proven.client)
    expect((await send(path, formOf(web))).status).toBe(429)
  })

  it('does not count requests with wrong credentials toward the limit of the app', async () => {
    for (let at = 0; at < 3; at++) {
      expect((await send(path, formOf({ ...web, secret: 'wrong' }))).status).toBe(400)
    }
    expect(await prisma().$queryRaw`SELECT * FROM rate_limits WHERE key LIKE ${`${route}%`}`).toEqual([])
  })

  it('applies the limit for unauthenticated requests to a self-registered app with a secret', async () => {
    const registered = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://app.example.com/callback'],
        grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      }),
    })
    const { client_id: clientId, client_secret: secret } = await registered.json()
    const app = { clientId, secret, redirectUri: 'https://app.example.com/callback' }
    expect((await send(path, formOf(app))).status).toBe(accepted)
    await spend(`${route} unproven address`, unproven.address)
    expect((await send(path, formOf(app))).status).toBe(429)
  })

  it('rejects a body that is too large', async () => {
    const body = formOf(alone, { state: 'a'.repeat(maxPendingBytes) })
    expect(await send(path, body)).toMatchObject({
      status: 413,
      body: { error: 'invalid_request', error_description: 'the request must not exceed 16384 bytes' },
    })
  })
})

describe('a pushed request', () => {
  it.each(['state', 'nonce', 'login_hint'])('is rejected if its %s is too long', async (name) => {
    const longest = formOf(alone, { [name]: 'a'.repeat(maxParameterLength) })
    expect((await send('/oauth/request', longest)).status).toBe(201)
    const longer = formOf(alone, { [name]: 'a'.repeat(maxParameterLength + 1) })
    const before = await stored('/oauth/request')
    expect(await send('/oauth/request', longer)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `${name} must not exceed 4096 characters` },
    })
    expect(await stored('/oauth/request')).toBe(before)
  })

  it('is limited in size even without a Content-Length', async () => {
    const names = ['state', 'nonce', 'ui_locales', 'login_hint', 'claims_locales']
    const long = names.map((name) => [name, 'a'.repeat(maxParameterLength)])
    const before = await stored('/oauth/request')
    const { status } = await sendRaw(server.url, {
      path: '/oauth/request',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
      body: formOf(alone, Object.fromEntries(long)).toString(),
      pieces: 3,
    })
    expect(status).toBe(413)
    expect(await stored('/oauth/request')).toBe(before)
  })

  it('is rejected without storing its DPoP proof if it exceeds the rate limit', async () => {
    const key = await makeClientKey('ES256')
    const pushed = async (address: string) =>
      send('/oauth/request', formOf(alone), address, {
        dpop: await key.proof('POST', '/oauth/request'),
      })
    const proofs = () => prisma().oAuthArtifact.count({ where: { model: 'ReplayDetection' } })
    expect((await pushed('198.51.100.7')).status).toBe(201)
    const before = await proofs()
    expect(before).toBe(1)
    await spend('pushed_authorization_request unproven address', unproven.address)
    expect((await pushed('198.51.100.7')).status).toBe(429)
    expect(await proofs()).toBe(before)
  })
})

describe.each([
  ['an authorization request', routes.authorization, () => authorizeUrl(web), 'Interaction'],
  ['a sign-out request', routes.end_session, () => '/oauth/session/end', 'Session'],
])('%s from a browser that is not signed in', (_what, endpoint, address, model) => {
  const from = (ip: string, headers: Record<string, string> = {}) =>
    server.fetch(address(), { headers: { accept: 'text/html', 'x-forwarded-for': ip, ...headers } })
  const rows = () => prisma().oAuthArtifact.count({ where: { model } })
  /** Leaves an address only one more request before it reaches its limit. */
  const leaveOne = (ip: string) => visits().set(visitKey(endpoint, ip), visitsPerMinute - 1, 60)

  it('is stored, or gets an error page if its IP address has reached the limit', async () => {
    await leaveOne('198.51.100.20')
    const before = await rows()
    const replies = await Promise.all([1, 2, 3, 4].map(() => from('198.51.100.20')))
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 429, 429, 429])
    expect((await rows()) - before).toBe(1)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await refused?.text()).toContain('Too many requests from your IP address')
    expect((await from('198.51.100.21')).status).toBe(302)
  })

  it('gets a JSON error if its IPv6 network has reached the limit and the client accepts JSON', async () => {
    await leaveOne('2001:db8:1::1')
    expect((await from('2001:db8:1::1')).status).toBe(302)
    const refused = await from('2001:db8:1::2', { accept: 'application/json' })
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringContaining('too many requests') },
    ])
  })

  it('does not use up the limit of users who are signed in at the same IP address', async () => {
    const ip = '198.51.100.22'
    await leaveOne(ip)
    const signedIn = () =>
      owner.browser.request(address(), { headers: { accept: 'text/html', 'x-forwarded-for': ip } })
    for (let sent = 0; sent < 3; sent++) expect((await signedIn()).status).not.toBe(429)
    expect((await from(ip)).status).toBe(302)
    expect((await from(ip)).status).toBe(429)
    expect((await signedIn()).status).not.toBe(429)
    expect((await from(ip, { cookie: 'session-token=made-up' })).status).toBe(429)
  })
})

it('the server stores an unconfirmed sign-out for at most an hour', async () => {
  await prisma().oAuthArtifact.deleteMany({ where: { model: 'Session' } })
  await server.fetch('/oauth/session/end', { headers: { 'x-forwarded-for': '198.51.100.30' } })
  const { createdAt, expiresAt } = await prisma().oAuthArtifact.findFirstOrThrow({
    where: { model: 'Session' },
  })
  expect(expiresAt.getTime() - createdAt.getTime()).toBeLessThanOrEqual(3_600_000)
})

it('the server records a limited number of errors per app and minute', async () => {
  const app = await owner.makeApp()
  const refused = () =>
    send('/oauth/device/auth', formOf({ ...app, secret: 'wrong' }), '198.51.100.40').then(
      ({ status }) => status,
    )
  for (let sent = 0; sent < mostRefusals + 5; sent += 5) {
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(refused)))).toEqual(new Set([400]))
  }
  await gatheredActivity.now()
  expect(await prisma().appEvent.count({ where: { clientId: app.clientId } })).toBe(mostRefusals)
})
