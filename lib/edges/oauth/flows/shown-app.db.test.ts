import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { remember } from '@/lib/base/process/remember'
import { createApp } from '@/lib/features/apps/create-app'
import type { SessionActor } from '@/lib/policy/actor'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { oauthEngine } from '../engine/provider'
import { loadConsentView } from '../interaction/consent-view'

const { server, owner } = await startOAuthWorld()

let host: TlsServer
const asked: string[] = []
beforeAll(async () => {
  const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
  host = await startTlsServer((req, res) => {
    asked.push(req.url ?? '')
    if (req.url === '/page.png') res.writeHead(200, { 'content-type': 'text/html' }).end('<b>')
    else if (req.url === '/none.png') res.writeHead(404, { 'content-type': 'image/png' }).end()
    else res.writeHead(200, { 'content-type': 'image/png' }).end(picture)
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
beforeEach(() => {
  asked.length = 0
  remember('app-logos', () => new Map()).clear()
})

/** What the consent page shows of a client that registers itself so. */
async function shownAs(metadata: object) {
  const response = await server.fetch('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://agent.example/cb'], ...metadata }),
  })
  expect(response.status).toBe(201)
  const { client_id } = (await response.json()) as { client_id: string }
  const client = await (await oauthEngine()).provider.Client.find(client_id)
  const actor = { kind: 'session', userId: owner.person.id } as never
  return (await loadConsentView(actor, client as never, ['openid'])).app
}

describe('m11: an app’s logo on the consent page', () => {
  it('is fetched from here once and drawn anew, so that the app’s host never hears from the browser', async () => {
    const logo_uri = `${host.origin}/logo.png`
    const first = await shownAs({ logo_uri })
    expect(first.logoUrl).toMatch(/^data:image\/webp;base64,/)
    expect((await shownAs({ logo_uri })).logoUrl).toBe(first.logoUrl)
    expect(first.logoDarkUrl).toBeNull()
    expect(asked).toEqual(['/logo.png'])
  })

  it.each(['/page.png', '/none.png'])('is left out where %s is no picture', async (path) => {
    expect((await shownAs({ logo_uri: host.origin + path })).logoUrl).toBeNull()
  })

  it('is no way to let the browser visit another page of ours', async () => {
    expect((await shownAs({ logo_uri: 'https://127.0.0.1:1/logo.png' })).logoUrl).toBeNull()
    const actor = { kind: 'session', userId: owner.person.id } as never
    const client = { clientId: 'lk_app_x', logoUri: `${config().BASE_URL}/logout` }
    expect((await loadConsentView(actor, client, ['openid'])).app.logoUrl).toBeNull()
  })
})

it('F3: shows an app’s privacy policy and terms where they are https addresses', async () => {
  const shown = await shownAs({
    policy_uri: 'https://agent.example/privacy',
    tos_uri: 'https://agent.example/terms',
  })
  expect(shown.profile).toMatchObject({
    privacyUrl: 'https://agent.example/privacy',
    termsUrl: 'https://agent.example/terms',
  })
  const plain = await shownAs({ policy_uri: 'http://agent.example/privacy' })
  expect(plain.profile).toMatchObject({ privacyUrl: null, termsUrl: null })
})

it('says of an app that registered itself nothing but its links', async () => {
  const shown = await shownAs({
    description: 'The official one',
    client_uri: 'https://agent.example',
    contacts: ['help@agent.example'],
  })
  expect(shown.profile).toEqual({
    description: null,
    website: null,
    support: null,
    privacyUrl: null,
    termsUrl: null,
  })
})

it('shows how an app of a workspace introduces itself', async () => {
  const actor: SessionActor = {
    kind: 'session',
    userId: owner.person.id,
    sessionId: randomUUID(),
    instanceAdmin: false,
  }
  const { app } = await createApp(actor, {
    workspaceId: owner.workspace.id,
    name: 'Deployer',
    type: 'WEB',
    redirectUris: 'https://deployer.example/cb',
    description: 'Ships your projects on every push.',
    homepageUrl: 'https://deployer.example',
    support: 'help@deployer.example',
    privacyUrl: 'https://deployer.example/privacy',
  })
  const client = await (await oauthEngine()).provider.Client.find(app.id)
  const shown = async () => (await loadConsentView(actor, client as never, ['openid'])).app
  const claim = { clientId: app.id, domain: 'deployer.example', token: 't' }
  await prisma().appDomain.create({ data: claim })
  expect((await shown()).domain).toBeUndefined()
  await prisma().appDomain.update({ where: { clientId: app.id }, data: { verifiedAt: new Date() } })
  const { profile, domain } = await shown()
  expect(domain).toBe('deployer.example')
  expect(profile).toEqual({
    description: 'Ships your projects on every push.',
    website: 'https://deployer.example',
    support: 'help@deployer.example',
    privacyUrl: 'https://deployer.example/privacy',
    termsUrl: null,
  })
})
