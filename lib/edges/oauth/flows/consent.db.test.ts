import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { remember } from '@/lib/base/process/remember'
import { createApp } from '@/lib/features/apps/create-app'
import type { SessionActor } from '@/lib/policy/actor'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { authorize } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, makeOwner, native, signedInBrowser } from '@/lib/testing/oauth-world'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { oauthEngine } from '../engine/provider'
import { loadConsentView } from '../interaction/consent-view'

const server = await startOAuthServer()

describe('consent', async () => {
  const { owner, web } = await makeOAuthWorld()

  describe('the authorization endpoint', () => {
    it('requests consent once for a workspace’s web app, and again for more scopes', async () => {
      const app = await owner.makeApp()
      expect(await outcome(owner.browser, app)).toBe('consent')
      await authorize(owner.browser, app, { scope: 'openid email' })
      expect(await outcome(owner.browser, app, { scope: 'openid email' })).toBe('code')
      expect(await outcome(owner.browser, app, { scope: 'openid' })).toBe('code')
      expect(await outcome(owner.browser, app, { scope: 'openid profile' })).toBe('consent')
      expect(await outcome(owner.browser, app, { prompt: 'consent' })).toBe('consent')
      await authorize(owner.browser, app, { scope: 'openid profile' })
      expect(await outcome(owner.browser, app, { scope: 'openid email profile' })).toBe('code')
    })

    it('does not request consent again if the user switches browsers', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      expect(await outcome(await signedInBrowser(owner.user.id), app)).toBe('code')
    })

    it('requests consent again if the user has left the only selected workspace', async () => {
      const app = await owner.makeApp()
      const team = await makeWorkspace([[owner.user, 'MEMBER']])
      const asked = { scope: 'openid workspace:viewer' }
      await authorize(owner.browser, app, asked, { workspaces: [team.id] })
      expect(await outcome(owner.browser, app, asked)).toBe('code')
      await prisma().workspaceMember.delete({
        where: { workspaceId_userId: { workspaceId: team.id, userId: owner.user.id } },
      })
      expect(await outcome(owner.browser, app, asked)).toBe('consent')
    })
  })

  describe('the decision', () => {
    it('stores exactly the granted scopes and the selected resources', async () => {
      const app = await owner.makeApp()
      const scope = 'openid workspace:viewer project:member'
      const approval = { workspaces: [owner.workspace.id], projects: [owner.project.id] }
      await authorize(owner.browser, app, { scope }, approval)
      const saved = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
      expect(saved).toMatchObject({
        userId: owner.user.id,
        scopes: scope.split(' '),
        workspaceIds: [owner.workspace.id],
        projectIds: [owner.project.id],
      })
    })

    it('requires a selection if a scope needs one', async () => {
      const page = await openConsent(owner.browser, web, { scope: 'openid project:viewer' })
      const again = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
      expect(again.status).toBe(200)
      expect(new URL(again.url).pathname).toBe(page)
      expect(new URL(again.url).searchParams.get('refused')).toBe('nothing-selected')
      const done = await owner.browser.submit(`${page}/decision`, [
        ['decision', 'authorize'],
        ['project', owner.project.id],
      ])
      expect(done.headers.get('location')).toContain('code=')
    })

    it('cannot share workspaces or projects in which the user has no role', async () => {
      const stranger = await makeOwner()
      const page = await openConsent(owner.browser, web, { scope: 'openid workspace:viewer project:viewer' })
      for (const field of [
        ['workspace', stranger.workspace.id],
        ['project', stranger.project.id],
      ] as [string, string][]) {
        const refused = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize'], field])
        expect(new URL(refused.url).searchParams.get('refused')).toBe('selection')
      }
    })

    it('lets a project member from outside the workspace share the project', async () => {
      const guest = await makeUser()
      const project = await makeProject(owner.workspace, [[guest, 'VIEWER']])
      const answer = await authorize(
        await signedInBrowser(guest.id),
        await owner.makeApp(),
        { scope: 'openid project:viewer' },
        { projects: [project.id] },
      )
      expect(answer.get('code')).toBeTruthy()
    })

    it('returns access_denied with the state and stores no authorization if the user denies access', async () => {
      const app = await owner.makeApp()
      const answer = await authorize(owner.browser, app, {}, { decision: 'deny' })
      expect(Object.fromEntries(answer)).toMatchObject({
        error: 'access_denied',
        state: 'the-state',
        iss: `${config().BASE_URL}/oauth`,
      })
      expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
    })

    it('is accepted only from pages of this instance', async () => {
      const page = await openConsent(owner.browser, web)
      for (const origin of ['https://evil.example', 'null']) {
        const refused = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']], {
          origin,
        })
        expect(refused.status).toBe(403)
      }
    })

    it('leads to the page for an expired request if it is sent twice', async () => {
      const page = await openConsent(owner.browser, web)
      const fields: [string, string][] = [['decision', 'authorize']]
      const first = await owner.browser.submit(`${page}/decision`, fields)
      expect(first.headers.get('location')).toContain('code=')
      const second = await owner.browser.submit(`${page}/decision`, fields)
      expect(await second.json()).toEqual({ kind: 'lost' })
      expect(await (await owner.browser.request(page)).json()).toEqual({ kind: 'lost' })
    })

    it('can be made in two open tabs', async () => {
      const [one, two] = [await openConsent(owner.browser, web), await openConsent(owner.browser, web)]
      for (const page of [one, two]) {
        const done = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
        expect(done.headers.get('location')).toContain('code=')
      }
    })

    it('cannot be made in another browser, without the interaction cookie, or after the request has expired', async () => {
      const page = await openConsent(owner.browser, web)
      const other = await signedInBrowser(owner.user.id)
      expect(await (await other.request(page)).json()).toEqual({ kind: 'lost' })
      owner.browser.dropCookies(/^latchkey_interaction/)
      expect(await (await owner.browser.request(page)).json()).toEqual({ kind: 'lost' })
      const old = await openConsent(owner.browser, web)
      await pool().query(`DELETE FROM oauth_artifacts WHERE model = 'Interaction'`)
      expect(await (await owner.browser.request(old)).json()).toEqual({ kind: 'lost' })
    })

    it('is rejected if the resume cookie is missing', async () => {
      const page = await openConsent(owner.browser, web)
      owner.browser.dropCookies(/^latchkey_resume/)
      const lost = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
      expect(lost.status).toBe(400)
    })
  })
})

describe('app consent', async () => {
  const { owner } = await makeOAuthWorld()

  const pkce = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }

  /** Creates a self-registered app. */
  async function registered(fields: Parameters<typeof owner.makeApp>[0]) {
    const app = await owner.makeApp({ ...fields, source: 'DYNAMIC' })
    await pool().query(`UPDATE oauth_clients SET id = 'dyn_' || id, workspace_id = NULL WHERE id = $1`, [
      app.clientId,
    ])
    return { ...app, clientId: `dyn_${app.clientId}` }
  }

  it('is always requested for a native app, and for a self-registered app without a secret', async () => {
    const cli = await owner.makeApp(native)
    const inBrowser = { application_type: 'web', token_endpoint_auth_method: 'none' }
    const agent = await registered({ type: 'NATIVE', metadata: inBrowser })
    for (const app of [cli, agent]) {
      await authorize(owner.browser, app, pkce)
      expect(await outcome(owner.browser, app, pkce)).toBe('consent')
      expect(await outcome(owner.browser, app, { ...pkce, prompt: 'none' })).toBe('interaction_required')
    }
  })

  it('is requested once for a self-registered web app with a secret, which can then use prompt=none', async () => {
    const app = await registered({ metadata: { application_type: 'web' } })
    expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('consent_required')
    await authorize(owner.browser, app)
    expect(await outcome(owner.browser, app)).toBe('code')
    expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('code')
    expect(await outcome(owner.browser, app, { prompt: 'none', scope: 'openid email' })).toBe(
      'consent_required',
    )
  })
})

describe('the consent page', async () => {
  const { owner } = await makeOAuthWorld()

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

  /** Returns the consent page of a client with this registration. */
  async function shownAs(metadata: object) {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://agent.example/cb'], ...metadata }),
    })
    expect(response.status).toBe(201)
    const { client_id } = (await response.json()) as { client_id: string }
    const client = await (await oauthEngine()).provider.Client.find(client_id)
    const actor = { kind: 'session', userId: owner.user.id } as never
    return (await loadConsentView(actor, client as never, ['openid'])).app
  }

  describe('the app’s logo on the consent page', () => {
    it('is fetched once by the server and re-encoded, so that the browser sends nothing to the app’s host', async () => {
      const logo_uri = `${host.origin}/logo.png`
      const first = await shownAs({ logo_uri })
      expect(first.logoUrl).toMatch(/^data:image\/webp;base64,/)
      expect((await shownAs({ logo_uri })).logoUrl).toBe(first.logoUrl)
      expect(first.logoDarkUrl).toBeNull()
      expect(asked).toEqual(['/logo.png'])
    })

    it.each(['/page.png', '/none.png'])(
      'is omitted if the app’s host returns no image for %s',
      async (path) => {
        expect((await shownAs({ logo_uri: host.origin + path })).logoUrl).toBeNull()
      },
    )

    it('is omitted if its URL is a page of this server or cannot be reached', async () => {
      expect((await shownAs({ logo_uri: 'https://127.0.0.1:1/logo.png' })).logoUrl).toBeNull()
      const actor = { kind: 'session', userId: owner.user.id } as never
      const client = { clientId: 'lk_app_x', logoUri: `${config().BASE_URL}/logout` }
      expect((await loadConsentView(actor, client, ['openid'])).app.logoUrl).toBeNull()
    })
  })

  it('shows an app’s privacy policy and terms only if their URLs use https', async () => {
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

  it('does not show the description, website, or support address of a self-registered app', async () => {
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

  it('shows the description, links, and verified domain of a workspace’s app', async () => {
    const actor: SessionActor = {
      kind: 'session',
      userId: owner.user.id,
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
})
