import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { makeApi, requestFor } from '@/lib/testing/api-world'
import { makeClientKey } from '@/lib/testing/client-key'
import { outcome } from '@/lib/testing/oauth-consent'
import {
  authorize,
  authorizeUrl,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { loadConsentView } from '../interaction/consent-view'

const { owner } = await startOAuthWorld()

let host: TlsServer
let fetched = 0
/** The responses of the host, by path. */
const documents = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>()
const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

beforeAll(async () => {
  host = await startTlsServer((req, res) => {
    fetched += 1
    const found = documents.get(req.url ?? '')
    res.writeHead(found ? (found.status ?? 200) : 404, {
      'content-type': 'application/json',
      ...found?.headers,
    })
    res.end(found?.body)
  })
  const close = allowOutboundForTests({
    networks: ['127.0.0.0/8', '::1/128'],
    ports: [host.port],
    ca: host.ca,
  })
  afterAll(async () => {
    close()
    await host.close()
  })
})
beforeEach(() => pool().query('DELETE FROM rate_limits'))

/** Serves a document. @returns its client */
function publish(path: string, changes: Record<string, unknown> = {}): TestApp {
  const clientId = `${host.origin}${path}`
  const body = {
    client_id: clientId,
    client_name: 'Documented agent',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    ...changes,
  }
  documents.set(path, { body: JSON.stringify(body) })
  return { clientId, redirectUri: 'http://127.0.0.1:51234/callback' }
}

describe('a metadata-document client', () => {
  it('can use a loopback port that its document does not list and can refresh tokens, but needs consent each time', async () => {
    const app = publish('/agent.json')
    const { status, body } = await signInToApp(owner.browser, app, offline)
    expect(status).toBe(200)
    expect(decodeProtectedHeader(body.id_token as string).alg).toBe('RS256')
    expect((await userinfo(body.access_token as string)).status).toBe(200)
    expect((await refresh(app, body.refresh_token as string)).status).toBe(200)
    expect(await outcome(owner.browser, app, pkce)).toBe('consent')
    expect(await prisma().oAuthClient.findUnique({ where: { id: app.clientId } })).toMatchObject({
      source: 'METADATA_DOCUMENT',
      name: 'Documented agent',
    })
  })

  it('must send an assertion that is signed with the key in its document', async () => {
    const key = await makeClientKey()
    const app = publish('/keyed.json', { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks })
    const { status, body } = await signInToApp(owner.browser, app)
    expect([status, body.error]).toEqual([400, 'invalid_client'])
    const code = (await authorize(owner.browser, app)).get('code') as string
    const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri }
    expect((await requestToken(app, { ...form, ...(await key.assertion(app.clientId)) })).status).toBe(200)
  })

  it('gets a token that an API can exchange even if the client’s document is no longer available', async () => {
    const app = publish('/calls-apis.json')
    const [one, two] = [await makeApi(), await makeApi({ tokenFormat: 'JWT' })]
    const projects = [owner.project.id]
    await signInToApp(owner.browser, app, requestFor(two), { projects })
    const { body } = await signInToApp(owner.browser, app, requestFor(one), { projects })
    documents.delete('/calls-apis.json')
    const before = fetched
    const exchanged = await one.exchange(String(body.access_token), two)
    expect(await two.see(String(exchanged.body.access_token))).toMatchObject({
      active: true,
      client_id: app.clientId,
      act: { sub: one.id },
    })
    expect(fetched).toBe(before)
  })

  it('causes no requests to the sector identifier URI in its document', async () => {
    const app = publish('/sector.json', { sector_identifier_uri: `${host.origin}/uris.json` })
    const before = fetched
    const use = () => requestToken(app, { grant_type: 'refresh_token', refresh_token: 'unknown' })
    expect([(await use()).body.error, (await use()).body.error]).toEqual(['invalid_grant', 'invalid_grant'])
    expect(fetched).toBe(before + 1)
  })

  it('is unknown if the scheme of its ID is not lowercase, and its document is not fetched', async () => {
    const { clientId, redirectUri } = publish('/loud.json')
    const loud = { clientId: clientId.replace('https:', 'HTTPS:'), redirectUri }
    documents.set('/loud.json', {
      body: JSON.stringify({ client_id: loud.clientId, redirect_uris: [redirectUri] }),
    })
    const before = fetched
    const response = await owner.browser.request(authorizeUrl(loud, pkce), {
      headers: { accept: 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    expect(fetched).toBe(before)
  })

  it('is shown as unverified, with the host of its document', async () => {
    const app = publish('/shown.json')
    const actor = { kind: 'session', userId: owner.user.id } as never
    const view = await loadConsentView(actor, { clientId: app.clientId, clientName: 'X' }, ['openid'])
    expect(view.app).toMatchObject({
      documentHost: new URL(host.origin).host,
      workspaceName: undefined,
      verified: false,
    })
  })

  it('has its document fetched only once for two requests', async () => {
    const app = publish('/kept.json')
    const before = fetched
    await outcome(owner.browser, app, pkce)
    await outcome(owner.browser, app, pkce)
    expect(fetched - before).toBe(1)
  })

  it('must use PKCE', async () => {
    const page = await owner.browser.follow(authorizeUrl(publish('/pkce.json')))
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Authorization Server policy requires PKCE')
  })

  it('and its access token are rejected after the client is disabled', async () => {
    const app = publish('/disabled.json')
    const { body } = await signInToApp(owner.browser, app)
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { disabledAt: new Date() } })
    expect((await userinfo(body.access_token as string)).status).toBe(401)
    const again = await owner.browser.request(`/oauth/auth?client_id=${encodeURIComponent(app.clientId)}`)
    expect(again.status).toBe(400)
  })
})

describe('the server rejects a metadata document that', () => {
  const status = async (clientId: string) => {
    const response = await owner.browser.request(
      `/oauth/auth?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: 'http://127.0.0.1/callback',
        response_type: 'code',
        scope: 'openid',
        ...pkce,
      })}`,
      { headers: { accept: 'application/json' } },
    )
    return response.status
  }

  it.each([
    ['names another client', { client_id: 'https://other.example/else.json' }],
    ['has a secret', { client_secret: 'x' }],
    ['requires a shared secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['redirects to javascript:', { redirect_uris: ['javascript:alert(1)'] }],
    ['redirects to an http URL that is not loopback', { redirect_uris: ['http://app.example.com/'] }],
  ])('%s', async (name, changes) => {
    const app = publish(`/${encodeURIComponent(name)}.json`, changes)
    expect(await status(app.clientId)).toBe(400)
  })

  it('is missing, too long, not JSON, or behind a redirect', async () => {
    documents.set('/long.json', { body: JSON.stringify({ pad: 'x'.repeat(20_000) }) })
    documents.set('/text.json', { body: 'hello' })
    documents.set('/moved.json', {
      status: 302,
      headers: { location: `${host.origin}/agent.json` },
      body: '',
    })
    for (const path of ['/missing.json', '/long.json', '/text.json', '/moved.json']) {
      expect(await status(`${host.origin}${path}`), path).toBe(400)
    }
  })

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://internal.invalid/client.json',
    'http://127.0.0.1/client.json',
  ])('has the URL %s', async (clientId) => {
    expect(await status(clientId)).toBe(400)
  })
})
