import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { pageAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { approveApp } from '@/lib/features/instance-admin/manage-apps'
import { dropApis } from '@/lib/features/resources/apis'
import { allScopes } from '@/lib/policy/scopes'
import { makeApi } from '@/lib/testing/api-world'
import { queryApi } from '@/lib/testing/app-requests'
import { makeUser } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { newPkce, offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'

const { server, owner, web } = await startOAuthWorld()
const { browser, user } = owner

afterEach(() => setChangedSettings({}))

type Registered = Record<string, string> & { redirect_uris: string[]; grant_types: string[] }

async function send(method: string, path: string, body?: unknown, token?: string) {
  const response = await server.fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : {}) as Registered,
  }
}

const agent = {
  client_name: 'An agent',
  redirect_uris: ['http://localhost:6274/oauth/callback'],
  token_endpoint_auth_method: 'none',
  application_type: 'web',
  scope: 'claudeai',
}

/** Registers an app. @returns the response, and the app with its first redirect URI */
async function register(metadata: unknown = agent) {
  const answer = await send('POST', '/oauth/register', metadata)
  const { client_id, client_secret, redirect_uris } = answer.body
  const app: TestApp = {
    clientId: String(client_id),
    secret: client_secret,
    redirectUri: redirect_uris?.[0] ?? '',
  }
  return { ...answer, app }
}

const pathOf = (client: Registered) => new URL(client.registration_client_uri as string).pathname

/** Sends a request to the registration management endpoint of a client, with its own token. */
const manage = (method: string, client: Registered, body?: object) =>
  send(method, pathOf(client), body, client.registration_access_token)

const discovered = async () =>
  (await (await server.fetch('/.well-known/oauth-authorization-server')).json()) as Record<string, unknown>

const signsIn = (app: TestApp) =>
  signInToApp(browser, app).then(
    ({ status }) => status === 200,
    () => false,
  )

describe('dynamic registration', () => {
  describe('POST /oauth/register', () => {
    it('registers a public client, which can use a loopback port other than the registered one', async () => {
      const { status, body, app } = await register()
      expect(status).toBe(201)
      expect(body).toMatchObject({
        client_id: expect.stringMatching(/^dyn_/),
        client_name: 'An agent',
        registration_access_token: expect.stringMatching(/^lk_reg_/),
        registration_client_uri: `${config().BASE_URL}/oauth/register/${body.client_id}`,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      })
      expect(body).not.toHaveProperty('client_secret')
      const elsewhere = { ...app, redirectUri: 'http://localhost:41234/oauth/callback' }
      const tokens = await signInToApp(browser, elsewhere, offline)
      expect(tokens.status).toBe(200)
      expect((await refresh(elsewhere, tokens.body.refresh_token as string)).status).toBe(200)
    })

    it('sets RS256 for ID tokens by default, or the algorithm that the client requests', async () => {
      const signedWith = async (metadata: object) => {
        const { body, app } = await register({ ...agent, ...metadata })
        const tokens = await signInToApp(owner.browser, app)
        const { alg } = decodeProtectedHeader(tokens.body.id_token as string)
        return [body.id_token_signed_response_alg, alg]
      }
      expect(await signedWith({})).toEqual(['RS256', 'RS256'])
      expect(await signedWith({ id_token_signed_response_alg: 'ES256' })).toEqual(['ES256', 'ES256'])
    })

    it.each(['RS256', 'ES256', 'EdDSA'])(
      'lets a client request UserInfo responses that are signed with %s',
      async (alg) => {
        const { status, body, app } = await register({ ...agent, userinfo_signed_response_alg: alg })
        expect([status, body.userinfo_signed_response_alg]).toEqual([201, alg])
        const tokens = await signInToApp(owner.browser, app, { scope: 'openid email' })
        for (const method of ['GET', 'POST']) {
          const headers = { authorization: `Bearer ${tokens.body.access_token}` }
          const response = await server.fetch('/oauth/me', { method, headers })
          expect(response.headers.get('content-type')).toBe('application/jwt; charset=utf-8')
          const keys = createRemoteJWKSet(new URL(`${config().BASE_URL}/oauth/jwks`))
          const { payload, protectedHeader } = await jwtVerify(await response.text(), keys, {
            issuer: `${config().BASE_URL}/oauth`,
            audience: app.clientId,
            algorithms: [alg],
          })
          expect(protectedHeader.alg).toBe(alg)
          expect(payload).toMatchObject({ sub: owner.user.id, email: owner.user.email })
        }
      },
    )

    it('registers a confidential client, and returns its secret only once', async () => {
      const { body, app } = await register({ redirect_uris: ['https://agent.example/cb'] })
      expect(body.client_secret).toMatch(/^lk_cs_/)
      expect(body.client_secret_expires_at).toBe(0)
      expect((await signInToApp(owner.browser, app)).status).toBe(200)
      const { rows } = await pool().query('SELECT metadata::text FROM oauth_clients WHERE id = $1', [
        app.clientId,
      ])
      expect(rows[0].metadata).not.toContain(body.client_secret)
      const read = await manage('GET', body)
      expect(read.status).toBe(200)
      expect(read.body).not.toHaveProperty('client_secret')
    })

    it.each([
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{}, 'invalid_redirect_uri'],
      [
        { redirect_uris: ['https://a.example/cb'], token_endpoint_auth_method: 'client_secret_jwt' },
        'invalid_client_metadata',
      ],
      [{ redirect_uris: ['https://a.example/cb'], logo_uri: 'javascript:1' }, 'invalid_client_metadata'],
      [
        { redirect_uris: ['https://a.example/cb'], userinfo_signed_response_alg: 'HS256' },
        'invalid_client_metadata',
      ],
      [
        { redirect_uris: ['https://a.example/cb'], userinfo_signed_response_alg: 'none' },
        'invalid_client_metadata',
      ],
    ])('rejects %j', async (metadata, error) => {
      const { status, body } = await register(metadata)
      expect([status, body.error]).toEqual([400, error])
    })

    it('assigns an ID and ignores the requested one', async () => {
      const mine = await owner.makeApp()
      for (const client_id of [mine.clientId, 'dyn_mine', 'https://other.example/app.json', owner.user.id]) {
        const { status, body } = await register({ ...agent, client_id })
        expect([status, body.client_id]).toEqual([201, expect.stringMatching(/^dyn_/)])
        expect(body.client_id).not.toBe(client_id)
      }
    })

    it('rejects a body that is not a JSON object or is longer than 8 KiB', async () => {
      expect((await register('{"half')).status).toBe(400)
      expect((await register('[]')).status).toBe(400)
      const { status, body } = await register({ ...agent, client_name: 'x'.repeat(8200) })
      expect([status, body.error]).toEqual([413, 'invalid_client_metadata'])
    })

    it('allows requests from every origin', async () => {
      const preflight = await server.fetch('/oauth/register', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:6274',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
      expect((await register()).headers.get('access-control-allow-origin')).toBe('*')
    })
  })

  describe('the registration management endpoint', () => {
    it('updates a client that sends its registration access token, which does not change', async () => {
      const { body: client } = await register()
      const token = client.registration_access_token as string
      const updated = await manage('PUT', client, {
        client_id: client.client_id,
        redirect_uris: ['http://127.0.0.1/cb'],
        token_endpoint_auth_method: 'none',
        client_name: 'Renamed',
      })
      expect(updated.status).toBe(200)
      expect(updated.body).toMatchObject({ client_name: 'Renamed', registration_access_token: token })
      const read = await manage('GET', client)
      expect(read.body).toMatchObject({ client_name: 'Renamed', redirect_uris: ['http://127.0.0.1/cb'] })
    })

    it('accepts an update with the current secret, but rejects one with a wrong secret', async () => {
      const { body: client, app } = await register({ redirect_uris: ['https://agent.example/cb'] })
      const update = (secret: string) =>
        manage('PUT', client, {
          client_id: client.client_id,
          redirect_uris: ['https://agent.example/cb'],
          client_secret: secret,
        })
      expect((await update(client.client_secret as string)).status).toBe(200)
      expect((await update('wrong')).status).toBe(400)
      expect((await signInToApp(owner.browser, app)).status).toBe(200)
    })

    it('deletes the client and invalidates its access token', async () => {
      const { body: client, app } = await register()
      const { body } = await signInToApp(owner.browser, app)
      const gone = await manage('DELETE', client)
      expect(gone.status).toBe(204)
      expect((await userinfo(body.access_token as string)).status).toBe(401)
      expect(await prisma().oAuthClient.count({ where: { id: app.clientId } })).toBe(0)
      const again = await manage('GET', client)
      expect(again.status).toBe(401)
    })

    it('requires the client’s own registration access token', async () => {
      const [{ body: one }, { body: two }] = [await register(), await register()]
      expect((await send('GET', pathOf(one))).status).toBe(401)
      expect((await send('GET', pathOf(one), undefined, two.registration_access_token)).status).toBe(401)
      expect((await send('DELETE', pathOf(one), undefined, 'lk_reg_nonsense')).status).toBe(401)
    })
  })
})

describe('self-registered apps', () => {
  it('cannot register while registration is off, but keep working if they are already registered', async () => {
    expect(await discovered()).toHaveProperty('registration_endpoint')
    const { body, app } = await register()
    setChangedSettings({ dynamicRegistration: 'off' })
    expect(await register()).toMatchObject({ status: 403, body: { error: 'access_denied' } })
    expect(await discovered()).not.toHaveProperty('registration_endpoint')
    expect((await manage('GET', body)).status).toBe(200)
    expect(await signsIn(app)).toBe(true)
    setChangedSettings({})
    expect(await discovered()).toHaveProperty('registration_endpoint')
  })

  it('need approval before users can authorize them, and again after a metadata change, if approval is required', async () => {
    setChangedSettings({ dynamicRegistration: 'approval' })
    const { status, body, app } = await register()
    expect(status).toBe(201)
    expect(await signsIn(app)).toBe(false)
    const device = await beginDevice(app)
    const pages = await userAtDevicePages(user.id)
    await pages.decide(device.body.user_code as string, 'authorize').catch(() => undefined)
    expect((await pollDevice(app, device.body.device_code as string)).status).toBe(400)
    const actor = sessionOf(owner)
    const chosen = { clientId: app.clientId, scopes: ['openid'], workspaceIds: [], projectIds: [] }
    await expect(saveAuthorization(actor, chosen)).rejects.toMatchObject({ code: 'APP_AWAITING_APPROVAL' })

    const instanceAdmin = await makeUser({ instanceAdmin: true })
    const asInstanceAdmin = {
      ...actor,
      userId: instanceAdmin.id,
      sessionId: randomUUID(),
      instanceAdmin: true,
    }
    await expect(approveApp(actor, app.clientId, { version: 0 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await approveApp(asInstanceAdmin, app.clientId, { version: 0 })
    await approveApp(asInstanceAdmin, app.clientId, { version: 0 })
    expect(await signsIn(app)).toBe(true)
    const events = { action: 'oauth_app.approved', resourceId: app.clientId }
    expect(await prisma().auditEvent.count({ where: events })).toBe(1)

    const update = { ...agent, client_id: app.clientId, client_name: 'Your bank' }
    expect((await manage('PUT', body, update)).status).toBe(200)
    expect(await outcome(browser, app, { ...newPkce().pkce, prompt: 'none' })).toBe('consent_required')
    expect(await signsIn(app)).toBe(false)
  })

  it('cannot end their wait for approval with an update, even after the setting changes', async () => {
    for (const dynamicRegistration of ['on', 'off'] as const) {
      setChangedSettings({ dynamicRegistration: 'approval' })
      const { body, app } = await register()
      setChangedSettings({ dynamicRegistration })
      const update = { ...agent, client_id: app.clientId }
      expect((await manage('PUT', body, update)).status).toBe(200)
      expect(await signsIn(app)).toBe(false)
    }
  })

  it('need approval after a metadata change while registration is off', async () => {
    const { body, app } = await register()
    setChangedSettings({ dynamicRegistration: 'off' })
    const update = { ...agent, client_id: app.clientId, client_name: 'Your bank' }
    expect((await manage('PUT', body, update)).status).toBe(200)
    expect(await signsIn(app)).toBe(false)
  })

  it('cause at most one notification a day for each instance admin while approval is required', async () => {
    await prisma().user.updateMany({ data: { instanceAdmin: false } })
    await prisma().notification.deleteMany()
    const [one, two] = [await makeUser({ instanceAdmin: true }), await makeUser({ instanceAdmin: true })]
    await makeUser({ instanceAdmin: true, suspendedAt: new Date() })
    const notificationsOf = (to: { id: string }) =>
      prisma().notification.findMany({ where: { userId: to.id }, select: { title: true, resource: true } })
    await register()
    expect(await notificationsOf(one)).toEqual([])
    setChangedSettings({ dynamicRegistration: 'approval' })
    const { app, body } = await register()
    await Promise.all([register(), register(), register()])
    await manage('PUT', body, { ...agent, client_id: app.clientId })
    const notice = {
      title: 'An agent needs your approval',
      resource: { type: 'oauth_app', id: app.clientId },
    }
    expect([await notificationsOf(one), await notificationsOf(two)]).toEqual([[notice], [notice]])
    const strangers = await prisma().notification.count({
      where: { userId: { notIn: [one.id, two.id] }, title: notice.title },
    })
    expect(strangers).toBe(0)
    await prisma().notification.updateMany({
      where: { userId: one.id },
      data: { dedupeKey: `app-waiting:${one.id}:2020-01-01` },
    })
    await register()
    expect([(await notificationsOf(one)).length, (await notificationsOf(two)).length]).toEqual([2, 1])
  })

  it('keep working if they registered before approval was required', async () => {
    const { app } = await register()
    setChangedSettings({ dynamicRegistration: 'approval' })
    expect(await signsIn(app)).toBe(true)
  })
})

describe('metadata-document apps', () => {
  let host: TlsServer
  let documented: TestApp
  beforeAll(async () => {
    host = await startOutsideServer((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const client_id = `${host.origin}${req.url}`
      res.end(
        JSON.stringify({
          client_id,
          client_name: 'Documented',
          redirect_uris: ['http://127.0.0.1/callback'],
        }),
      )
    })
    documented = { clientId: `${host.origin}/agent.json`, redirectUri: 'http://127.0.0.1:7777/callback' }
  })
  afterAll(() => host.close())

  it.each([
    ['off', undefined, 'rejected'],
    ['hosts', 'app.example.com', 'rejected'],
    ['hosts', '*.local-host', 'rejected'],
    ['hosts', undefined, 'accepted'],
    ['on', undefined, 'accepted'],
  ])(
    'are accepted only if the settings allow their host (setting: %s, list without their host: %s, result: %s)',
    async (taken, hosts, outcome) => {
      const own = new URL(host.origin).hostname
      setChangedSettings({
        metadataDocuments: taken,
        metadataDocumentHosts: hosts ?? `app.example.com\n${own}`,
      })
      expect(await signsIn({ ...documented, clientId: `${host.origin}/${randomUUID()}.json` })).toBe(
        outcome === 'accepted',
      )
      expect('client_id_metadata_document_supported' in (await discovered())).toBe(taken !== 'off')
    },
  )

  it('lose access when metadata documents are turned off, even if their document is cached', async () => {
    const { body } = await signInToApp(browser, documented, offline)
    expect((await refresh(documented, body.refresh_token as string)).status).toBe(200)
    setChangedSettings({ metadataDocuments: 'off' })
    const { body: fresh } = await refresh(documented, body.refresh_token as string)
    expect(fresh.error).toBe('invalid_client')
    expect(await signsIn(documented)).toBe(false)
  })
})

describe('the allowed scopes of self-registered apps', () => {
  const { workspace } = owner
  const workspaces = [workspace.id]
  const everything = allScopes.join(' ')

  /** Sets the scopes that the instance admin allows for all self-registered apps. */
  const allow = (scopes: string) => setChangedSettings({ registeredAppScopes: scopes })

  const registerAgent = (more: object = {}) =>
    register({
      client_name: 'An agent',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
      ...more,
    })
  const codeOf = async (token: string, query: string) => (await queryApi(token, query)).code

  it('limit the scopes of registered APIs, including the scopes of issued tokens', async () => {
    const api = await makeApi({ scopes: [{ name: 'crates:read' }, { name: 'crates:write' }] })
    try {
      allow('email,crates:read')
      const { app } = await registerAgent()
      const asked = { resource: api.identifier, scope: `openid ${api.names.join(' ')}`, prompt: 'consent' }
      const { body } = await signInToApp(browser, app, asked)
      expect(await api.see(String(body.access_token))).toMatchObject({ active: true, scope: 'crates:read' })
      allow('email')
      expect(await api.see(String(body.access_token))).toEqual({ active: false })
    } finally {
      await prisma().api.deleteMany()
      dropApis()
    }
  })

  it('limit the granted scopes in the browser and device flows', async () => {
    allow('email,workspace:viewer')
    const { app } = await registerAgent()
    const asked = { scope: everything, prompt: 'consent' }
    const got = 'openid email workspace:viewer'
    expect((await signInToApp(browser, app, asked, { workspaces })).body.scope).toBe(got)
    const { body } = await beginDevice(app, { scope: everything })
    const pages = await userAtDevicePages(user.id)
    await pages.decide(String(body.user_code), 'authorize', [['workspace', workspace.id]])
    expect((await pollDevice(app, String(body.device_code))).body.scope).toBe(got)
  })

  it('apply to earlier grants from the next request, until the limit is removed', async () => {
    const { app } = await registerAgent()
    const scope = 'openid email profile offline_access workspace:member'
    const { body } = await signInToApp(browser, app, { ...offline, scope }, { workspaces })
    const token = String(body.access_token)
    const rename = `mutation { workspaceUpdate(id: "${workspace.id}", input: { name: "Named" }) { id } }`
    const read = `{ workspace(workspaceId: "${workspace.id}") { name } }`
    expect([await codeOf(token, read), await codeOf(token, rename)]).toEqual(['ok', 'INSUFFICIENT_SCOPE'])

    allow('profile,offline_access,project:admin')
    expect(await codeOf(token, read)).toBe('INSUFFICIENT_SCOPE')
    expect(await codeOf(token, '{ me { email } }')).toBe('INSUFFICIENT_SCOPE')
    expect((await userinfo(token)).body).not.toHaveProperty('email')
    const renewed = (await refresh(app, String(body.refresh_token))).body
    expect(renewed.scope).toBe('openid profile offline_access')
    const page = { limit: 50, backward: false, after: null, before: null }
    const listed = (await pageAuthorizations(sessionOf(owner), page)).rows.find(
      (row) => row.app.id === app.clientId,
    )
    expect(listed?.scopes).toEqual(['openid', 'profile', 'offline_access'])

    setChangedSettings({})
    expect(await codeOf(token, read)).toBe('ok')
  })

  it('cannot be extended by a registration or a request', async () => {
    allow('email')
    const { body, app } = await registerAgent({ scope: everything })
    expect(body.scope).toBe('openid email')
    expect((await signInToApp(browser, app, { scope: everything })).body.scope).toBe('openid email')
  })

  it('limit the scopes in the protected resource metadata', async () => {
    const offered = async () => {
      const response = await server.fetch('/.well-known/oauth-protected-resource/graphql/v2')
      return ((await response.json()) as { scopes_supported: string[] }).scopes_supported
    }
    expect(await offered()).toContain('project:member')
    expect((await registerAgent()).body).not.toHaveProperty('scope')
    allow('email,workspace:admin,offline_access')
    expect(await offered()).toEqual(['openid', 'email', 'workspace:member', 'workspace:viewer'])
  })

  it('do not limit an app of a workspace', async () => {
    allow('email')
    const { body } = await signInToApp(browser, web, { scope: 'openid profile', prompt: 'consent' })
    expect(body.scope).toBe('openid profile')
  })
})
