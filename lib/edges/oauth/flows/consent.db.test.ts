import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { createApp } from '@/lib/features/apps/create-app'
import type { Actor, OAuthActor, SessionActor } from '@/lib/policy/actor'
import { projectCap, workspaceCap } from '@/lib/policy/authorize'
import { callerFromBearer } from '@/lib/policy/bearer'
import {
  higher,
  type ResourceType,
  type Role,
  roleFromScopes,
  roleIncludes,
  scopeFor,
} from '@/lib/policy/scopes'
import { registerApp } from '@/lib/testing/app-requests'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { openConsent, outcome, submitConsent } from '@/lib/testing/oauth-consent'
import {
  authorize,
  authorizeUrl,
  codeFrom,
  codeGrant,
  newPkce,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { makeOwner, native, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { fc } from '@/lib/testing/seeded-cases'
import { startOutsideServer, type TlsServer } from '@/lib/testing/tls-server'
import { oauthEngine } from '../engine/provider'
import { loadConsentView } from '../interaction/consent-view'

const { owner, web } = await startOAuthWorld()

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
    const again = await submitConsent(owner.browser, page)
    expect(again.status).toBe(200)
    expect(new URL(again.url).pathname).toBe(page)
    expect(new URL(again.url).searchParams.get('refused')).toBe('nothing-selected')
    const done = await submitConsent(owner.browser, page, ['project', owner.project.id])
    expect(done.headers.get('location')).toContain('code=')
  })

  it('cannot share workspaces or projects in which the user has no role', async () => {
    const stranger = await makeOwner()
    const page = await openConsent(owner.browser, web, { scope: 'openid workspace:viewer project:viewer' })
    for (const field of [
      ['workspace', stranger.workspace.id],
      ['project', stranger.project.id],
    ] as [string, string][]) {
      const refused = await submitConsent(owner.browser, page, field)
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
      const done = await submitConsent(owner.browser, page)
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
    const lost = await submitConsent(owner.browser, page)
    expect(lost.status).toBe(400)
  })
})

describe('app consent', () => {
  const { pkce } = newPkce()

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

describe('the consent page', () => {
  let host: TlsServer
  const asked: string[] = []
  beforeAll(async () => {
    const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer()
    host = await startOutsideServer((req, res) => {
      asked.push(req.url ?? '')
      if (req.url === '/page.png') res.writeHead(200, { 'content-type': 'text/html' }).end('<b>')
      else if (req.url === '/none.png') res.writeHead(404, { 'content-type': 'image/png' }).end()
      else res.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    })
  })
  afterAll(() => host.close())
  beforeEach(() => {
    asked.length = 0
    remember('app-logos', () => new Map()).clear()
  })

  /** Returns the consent page of a client with this registration. */
  async function shownAs(metadata: object) {
    const { status, app } = await registerApp({ redirect_uris: ['https://agent.example/cb'], ...metadata })
    expect(status).toBe(201)
    const client = await (await oauthEngine()).provider.Client.find(app.clientId)
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

describe('a token’s access to a resource', async () => {
  const workspaces = await Promise.all([0, 1].map(() => makeWorkspace([[owner.user, 'ADMIN']])))
  const projects = await Promise.all(workspaces.map((workspace) => makeProject(workspace)))
  const user: Actor = { kind: 'account-token', userId: owner.user.id, tokenId: 't', role: 'ADMIN' }

  const role = fc.option(fc.constantFrom<Role>('VIEWER', 'MEMBER', 'ADMIN'), { nil: undefined })
  const some = <T>(all: T[]) => fc.subarray(all)
  const selection = { workspaces: some(workspaces), projects: some(projects) }
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('sign-in' as const),
        workspace: role,
        project: role,
        again: fc.boolean(),
        ...selection,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), ...selection }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const) }) },
  )
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
  type Selected = { workspaces: { id: string }[]; projects: { id: string }[] }

  /** The access that the consent page showed for each resource when the user last shared it. */
  class Granted {
    readonly roles: Record<ResourceType, Map<string, Role>> = { workspace: new Map(), project: new Map() }

    /**
     * Records that the user saw `scopes` and shared this selection. After this, resources that were not
     * selected are no longer shared.
     */
    share(scopes: string[], selected: Selected) {
      for (const resource of ['workspace', 'project'] as const) {
        const shown = roleFromScopes(new Set(scopes), resource)
        if (!shown) continue
        const ids = selected[`${resource}s`].map(({ id }) => id)
        this.roles[resource] = new Map(ids.map((id) => [id, shown]))
      }
    }

    end() {
      this.roles.workspace.clear()
      this.roles.project.clear()
    }
  }

  /** One app and one user, with a sequence of consents, edits, refreshes, and revocations. */
  class Story {
    readonly granted = new Granted()
    readonly access: string[] = []
    refreshTokens: string[] = []

    constructor(readonly app: TestApp) {}

    async take(next: Step): Promise<void> {
      if (next.kind === 'sign-in') return this.signIn(next)
      if (next.kind === 'edit') return this.edit(next)
      if (next.kind === 'refresh') return this.refresh(next.which)
      const authorization = await this.authorization()
      if (authorization) await revokeAuthorization(user, authorization.id)
      this.granted.end()
      this.refreshTokens = []
    }

    authorization = () =>
      prisma().authorization.findFirst({ where: { clientId: this.app.clientId, userId: owner.user.id } })

    private async signIn(next: Extract<Step, { kind: 'sign-in' }>) {
      const asked = [
        'openid',
        'offline_access',
        ...(next.workspace ? [scopeFor('workspace', next.workspace)] : []),
        ...(next.project ? [scopeFor('project', next.project)] : []),
      ]
      const { verifier, pkce } = newPkce()
      let response = await owner.browser.follow(
        authorizeUrl(this.app, {
          scope: asked.join(' '),
          ...pkce,
          ...(next.again ? { prompt: 'consent' } : {}),
        }),
      )
      if (response.status === 200) {
        const fields = [
          ...next.workspaces.map(({ id }): [string, string] => ['workspace', id]),
          ...next.projects.map(({ id }): [string, string] => ['project', id]),
        ]
        const page = new URL(response.url).pathname
        response = await submitConsent(owner.browser, page, ...fields)
        // If nothing was selected, the page shows an error and nothing changes.
        if (response.status === 200) return
        this.granted.share(asked, next)
      }
      const code = codeFrom(response)
      this.keep(await requestToken(this.app, { ...codeGrant(this.app, code), code_verifier: verifier }))
    }

    private async edit(selected: Selected) {
      const authorization = await this.authorization()
      if (!authorization) return
      const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
      const input = { workspaceIds: ids(selected.workspaces), projectIds: ids(selected.projects) }
      const done = await updateSelection(user, authorization.id, input).then(
        () => true,
        () => false,
      )
      if (done) this.granted.share(authorization.scopes, selected)
    }

    private async refresh(which: number) {
      const token = this.refreshTokens[which % this.refreshTokens.length]
      if (!token) return
      const answer = await refresh(this.app, token)
      this.refreshTokens = this.refreshTokens.filter((each) => each !== token)
      this.keep(answer)
      if (!answer.body.refresh_token) this.refreshTokens.push(token)
    }

    private keep({ status, body }: { status: number; body: Record<string, string> }) {
      expect(status).toBe(200)
      this.access.push(body.access_token as string)
      if (body.refresh_token) this.refreshTokens.push(body.refresh_token)
    }

    /** Checks that no token has more access to a resource than was shown to the user. */
    async holds(): Promise<void> {
      for (const token of this.access) {
        const actor = (await callerFromBearer(token))?.actor
        if (!actor) continue
        for (const [index, workspace] of workspaces.entries()) {
          const granted = this.granted.roles.workspace.get(workspace.id)
          expectAtMost(workspaceCap(actor, workspace.id), granted)
          const project = projects[index] as { id: string }
          expectAtMost(
            projectCap(actor, { id: project.id, workspaceId: workspace.id }),
            higher(granted, this.granted.roles.project.get(project.id)),
          )
        }
      }
    }
  }

  function expectAtMost(role: Role | undefined, granted: Role | undefined) {
    if (role)
      expect(roleIncludes(granted, role), `has the role ${role}, was shown ${granted ?? 'nothing'}`).toBe(
        true,
      )
  }

  it.each([
    ['web', {}],
    ['native', native],
  ])(
    'does not exceed the access that the user last approved, for random requests and decisions (app type: %s)',
    async (_kind, fields) => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const story = new Story(await owner.makeApp(fields))
        for (const next of steps) {
          await story.take(next)
          await story.holds()
        }
      })
      await fc.assert(property, { numRuns: 25 })
    },
    120_000,
  )
})

describe('a later consent', () => {
  const actorOf = async (token: string | undefined) =>
    (await callerFromBearer(String(token)))?.actor as OAuthActor

  it('limits older tokens to the scopes and resources that it grants', async () => {
    const app = await owner.makeApp()
    const throwAway = await makeWorkspace([[owner.user, 'ADMIN']])
    const admin = { scope: 'openid offline_access workspace:admin', prompt: 'consent' }
    const older = (await signInToApp(owner.browser, app, admin, { workspaces: [throwAway.id] })).body
    const viewer = { scope: 'openid workspace:viewer', prompt: 'consent' }
    await signInToApp(owner.browser, app, viewer, { workspaces: [owner.workspace.id] })
    const renewed = (await refresh(app, older.refresh_token as string)).body
    expect(renewed.scope).toBe('openid offline_access workspace:viewer')
    for (const token of [older.access_token, renewed.access_token]) {
      const actor = await actorOf(token)
      expect(workspaceCap(actor, owner.workspace.id)).toBe('VIEWER')
      expect(workspaceCap(actor, throwAway.id)).toBeUndefined()
    }
  })

  it('is not requested from a user who already granted more, and the granted scopes stay the same', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id] }
    await authorize(owner.browser, app, { scope: 'openid workspace:admin' }, approval)
    const { body } = await signInToApp(owner.browser, app, { scope: 'openid workspace:viewer' })
    expect(body.scope).toBe('openid workspace:viewer')
    expect(workspaceCap(await actorOf(body.access_token), owner.workspace.id)).toBe('VIEWER')
    expect(await scopesOf(app)).toEqual(['openid', 'workspace:admin'])
  })

  it('shows which access remains and which access ends', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id], projects: [owner.project.id] }
    const first = 'openid email workspace:admin project:member'
    await authorize(owner.browser, app, { scope: first }, approval)
    const asked = ['openid', 'workspace:viewer']
    const actor = sessionOf(owner)
    const view = await loadConsentView(actor, { clientId: app.clientId }, asked)
    expect(view.kept.scopes).toEqual(['email', 'project:member'])
    expect(view.kept.projects).toMatchObject([{ id: owner.project.id }])
    expect(view.kept.workspaces).toEqual([])
    expect(view.lost).toEqual(['workspace:admin'])
    expect(view.added).toEqual([])
    await authorize(owner.browser, app, { scope: asked.join(' '), prompt: 'consent' }, approval)
    expect((await scopesOf(app)).sort()).toEqual([...view.kept.scopes, ...asked].sort())
  })

  it('marks new scopes, unlike the first consent', async () => {
    const app = await owner.makeApp()
    const actor = sessionOf(owner)
    const asked = ['openid', 'email', 'workspace:viewer', 'workspace:admin', 'project:viewer']
    const added = async () => (await loadConsentView(actor, { clientId: app.clientId }, asked)).added
    expect(await added()).toEqual([])
    const first = { scope: 'openid workspace:member' }
    await authorize(owner.browser, app, first, { workspaces: [owner.workspace.id] })
    expect(await added()).toEqual(['email', 'workspace:admin', 'project:viewer'])
  })

  it('causes a conflict with an edit of the selection that is based on the earlier scopes', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id] }
    await authorize(owner.browser, app, { scope: 'openid workspace:viewer' }, approval)
    const shownScopes = await scopesOf(app)
    await authorize(owner.browser, app, { scope: 'openid workspace:admin' }, approval)
    const actor = sessionOf(owner)
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    const edit = updateSelection(actor, id, { workspaceIds: [owner.workspace.id], shownScopes })
    await expect(edit).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  const scopesOf = async (app: { clientId: string }) =>
    (await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })).scopes
})
