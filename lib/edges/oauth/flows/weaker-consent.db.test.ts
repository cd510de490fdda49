import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import type { OAuthActor, SessionActor } from '@/lib/policy/actor'
import { workspaceCap } from '@/lib/policy/authorize'
import { callerFromBearer } from '@/lib/policy/bearer'
import { makeWorkspace } from '@/lib/testing/factories'
import { authorize, refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { loadConsentView } from '../interaction/consent-view'

const { owner } = await startOAuthWorld()

describe('M1: a later, weaker consent', () => {
  const actorOf = async (token: string | undefined) =>
    (await callerFromBearer(String(token)))?.actor as OAuthActor

  it('raises no older token on what it shares, and lowers it there', async () => {
    const app = await owner.makeApp()
    const throwAway = await makeWorkspace([[owner.person, 'ADMIN']])
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

  it('is not asked of an app that was allowed more, and changes nothing', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id] }
    await authorize(owner.browser, app, { scope: 'openid workspace:admin' }, approval)
    const { body } = await signInToApp(owner.browser, app, { scope: 'openid workspace:viewer' })
    expect(body.scope).toBe('openid workspace:viewer')
    expect(workspaceCap(await actorOf(body.access_token), owner.workspace.id)).toBe('VIEWER')
    expect(await scopesOf(app)).toEqual(['openid', 'workspace:admin'])
  })

  it('is shown with what stays in force and what does not', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id], projects: [owner.project.id] }
    const first = 'openid email workspace:admin project:member'
    await authorize(owner.browser, app, { scope: first }, approval)
    const asked = ['openid', 'workspace:viewer']
    const { actor } = await sessionOf(owner.person.id)
    const view = await loadConsentView(actor, { clientId: app.clientId }, asked)
    expect(view.kept.scopes).toEqual(['email', 'project:member'])
    expect(view.kept.projects).toMatchObject([{ id: owner.project.id }])
    expect(view.kept.workspaces).toEqual([])
    expect(view.lost).toEqual(['workspace:admin'])
    expect(view.added).toEqual([])
    await authorize(owner.browser, app, { scope: asked.join(' '), prompt: 'consent' }, approval)
    expect((await scopesOf(app)).sort()).toEqual([...view.kept.scopes, ...asked].sort())
  })

  it('that asks for more says what is new, and nothing of it at a first consent', async () => {
    const app = await owner.makeApp()
    const { actor } = await sessionOf(owner.person.id)
    const asked = ['openid', 'email', 'workspace:viewer', 'workspace:admin', 'project:viewer']
    const added = async () => (await loadConsentView(actor, { clientId: app.clientId }, asked)).added
    expect(await added()).toEqual([])
    const first = { scope: 'openid workspace:member' }
    await authorize(owner.browser, app, first, { workspaces: [owner.workspace.id] })
    expect(await added()).toEqual(['email', 'workspace:admin', 'project:viewer'])
  })

  it('makes an edit that was shown something else start over', async () => {
    const app = await owner.makeApp()
    const approval = { workspaces: [owner.workspace.id] }
    await authorize(owner.browser, app, { scope: 'openid workspace:viewer' }, approval)
    const shownScopes = await scopesOf(app)
    await authorize(owner.browser, app, { scope: 'openid workspace:admin' }, approval)
    const { actor } = await sessionOf(owner.person.id)
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
