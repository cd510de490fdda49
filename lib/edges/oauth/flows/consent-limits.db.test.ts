import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { startSession } from '@/lib/features/identity/sessions/start-session'
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
import { makeProject, makeWorkspace } from '@/lib/testing/factories'
import {
  authorize,
  authorizeUrl,
  challengeOf,
  newVerifier,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, native } from '@/lib/testing/oauth-world'
import { fc } from '@/lib/testing/seeded-cases'
import { loadConsentView } from '../interaction/consent-view'

await startOAuthServer()

describe('a token’s access to a resource', async () => {
  const { owner } = await makeOAuthWorld()
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
      const verifier = newVerifier()
      let response = await owner.browser.follow(
        authorizeUrl(this.app, {
          scope: asked.join(' '),
          code_challenge: challengeOf(verifier),
          code_challenge_method: 'S256',
          ...(next.again ? { prompt: 'consent' } : {}),
        }),
      )
      if (response.status === 200) {
        const fields = [
          ...next.workspaces.map(({ id }): [string, string] => ['workspace', id]),
          ...next.projects.map(({ id }): [string, string] => ['project', id]),
        ]
        const page = new URL(response.url).pathname
        response = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize'], ...fields])
        // If nothing was selected, the page shows an error and nothing changes.
        if (response.status === 200) return
        this.granted.share(asked, next)
      }
      const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
      this.keep(
        await requestToken(this.app, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: this.app.redirectUri,
          code_verifier: verifier,
        }),
      )
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

describe('a later consent', async () => {
  const { owner } = await makeOAuthWorld()

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
    const { actor } = await sessionOf(owner.user.id)
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
    const { actor } = await sessionOf(owner.user.id)
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
    const { actor } = await sessionOf(owner.user.id)
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    const edit = updateSelection(actor, id, { workspaceIds: [owner.workspace.id], shownScopes })
    await expect(edit).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  const scopesOf = async (app: { clientId: string }) =>
    (await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })).scopes

  const sessionOf = async (userId: string): Promise<{ actor: SessionActor }> => ({
    actor: {
      kind: 'session',
      userId,
      sessionId: await startSession({}, userId, ['pwd']),
      instanceAdmin: false,
    },
  })
})
