import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { approveApp } from '@/lib/features/instance-admin/manage-apps'
import { makeUser } from '@/lib/testing/factories'
import { outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { offline, refresh, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'

const { server, owner } = await startOAuthWorld()
const { browser, user } = owner

afterEach(() => setChangedSettings({}))

const send = (method: string, path: string, body?: object, token?: string) =>
  server.fetch(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

const metadata = {
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
}

async function register() {
  const response = await send('POST', '/oauth/register', metadata)
  const body = (await response.json()) as Record<string, string>
  const app: TestApp = { clientId: body.client_id as string, redirectUri: 'http://127.0.0.1:7777/callback' }
  return { status: response.status, body, app }
}

const discovered = async () =>
  (await (await server.fetch('/.well-known/oauth-authorization-server')).json()) as Record<string, unknown>

const signsIn = (app: TestApp) =>
  signInToApp(browser, app).then(
    ({ status }) => status === 200,
    () => false,
  )

describe('self-registered apps', () => {
  it('cannot register while registration is off, but keep working if they are already registered', async () => {
    expect(await discovered()).toHaveProperty('registration_endpoint')
    const { body, app } = await register()
    setChangedSettings({ dynamicRegistration: 'off' })
    expect(await register()).toMatchObject({ status: 403, body: { error: 'access_denied' } })
    expect(await discovered()).not.toHaveProperty('registration_endpoint')
    const own = new URL(body.registration_client_uri as string).pathname
    expect((await send('GET', own, undefined, body.registration_access_token)).status).toBe(200)
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
    const actor = { kind: 'session', userId: user.id, sessionId: '', instanceAdmin: false } as const
    const chosen = { clientId: app.clientId, scopes: ['openid'], workspaceIds: [], projectIds: [] }
    await expect(saveAuthorization(actor, chosen)).rejects.toMatchObject({ code: 'APP_AWAITING_APPROVAL' })

    const instanceAdmin = await makeUser({ instanceAdmin: true })
    const asInstanceAdmin = {
      ...actor,
      userId: instanceAdmin.id,
      sessionId: randomUUID(),
      instanceAdmin: true,
    }
    await expect(approveApp(actor, app.clientId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await approveApp(asInstanceAdmin, app.clientId)
    await approveApp(asInstanceAdmin, app.clientId)
    expect(await signsIn(app)).toBe(true)
    const events = { action: 'oauth_app.approved', resourceId: app.clientId }
    expect(await prisma().auditEvent.count({ where: events })).toBe(1)

    const own = new URL(body.registration_client_uri as string).pathname
    const update = { ...metadata, client_id: app.clientId, client_name: 'Your bank' }
    expect((await send('PUT', own, update, body.registration_access_token)).status).toBe(200)
    expect(await outcome(browser, app, { ...pkce, prompt: 'none' })).toBe('consent_required')
    expect(await signsIn(app)).toBe(false)
  })

  it('cannot end their wait for approval with an update, even after the setting changes', async () => {
    for (const dynamicRegistration of ['on', 'off'] as const) {
      setChangedSettings({ dynamicRegistration: 'approval' })
      const { body, app } = await register()
      setChangedSettings({ dynamicRegistration })
      const own = new URL(body.registration_client_uri as string).pathname
      const update = { ...metadata, client_id: app.clientId }
      expect((await send('PUT', own, update, body.registration_access_token)).status).toBe(200)
      expect(await signsIn(app)).toBe(false)
    }
  })

  it('need approval after a metadata change while registration is off', async () => {
    const { body, app } = await register()
    setChangedSettings({ dynamicRegistration: 'off' })
    const own = new URL(body.registration_client_uri as string).pathname
    const update = { ...metadata, client_id: app.clientId, client_name: 'Your bank' }
    expect((await send('PUT', own, update, body.registration_access_token)).status).toBe(200)
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
    const own = new URL(body.registration_client_uri as string).pathname
    await send('PUT', own, { ...metadata, client_id: app.clientId }, body.registration_access_token)
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
  let agent: TestApp
  beforeAll(async () => {
    host = await startTlsServer((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const client_id = `${host.origin}${req.url}`
      res.end(JSON.stringify({ client_id, client_name: 'Documented', redirect_uris: metadata.redirect_uris }))
    })
    agent = { clientId: `${host.origin}/agent.json`, redirectUri: 'http://127.0.0.1:7777/callback' }
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
      expect(await signsIn({ ...agent, clientId: `${host.origin}/${randomUUID()}.json` })).toBe(
        outcome === 'accepted',
      )
      expect('client_id_metadata_document_supported' in (await discovered())).toBe(taken !== 'off')
    },
  )

  it('lose access when metadata documents are turned off, even if their document is cached', async () => {
    const { body } = await signInToApp(browser, agent, offline)
    expect((await refresh(agent, body.refresh_token as string)).status).toBe(200)
    setChangedSettings({ metadataDocuments: 'off' })
    const { body: fresh } = await refresh(agent, body.refresh_token as string)
    expect(fresh.error).toBe('invalid_client')
    expect(await signsIn(agent)).toBe(false)
  })
})
