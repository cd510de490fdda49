import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp, withdrawDecision } from '@/lib/features/app-access/decide'
import { installApp, resumeInstallation, suspendInstallation } from '@/lib/features/app-access/installations'
import { findInstalled } from '@/lib/features/app-access/list-installed'
import { previewPolicy, setPolicy } from '@/lib/features/app-access/policy'
import { updateApp } from '@/lib/features/apps/update-app'
import type { assertionRefusals } from '@/lib/features/sso/assertion'
import { listManagedApps, removeManagedApp } from '@/lib/features/sso/managed-apps'
import { listManagedUsers, listSsoManagedApps } from '@/lib/features/sso/managed-users'
import type { SessionActor } from '@/lib/policy/actor'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, signedInBrowser } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, refusedFor, startProviders } from '@/lib/testing/sso-world'

await startOAuthServer()
const providers = await startProviders()
afterAll(() => providers.close())

describe('pages about SSO-managed apps', async () => {
  /** Tests the pages about SSO-managed apps. */
  const { owner: vendor } = await makeOAuthWorld()

  const first = { limit: 10, backward: false, after: null, before: null }

  async function world() {
    const sso = await makeSsoWorkspace(await providers.make(), vendor)
    const { workspaceId, app, user, owner, redeem, assertion } = sso
    const admin = sessionOf(owner)
    const grace: SessionActor = { kind: 'session', userId: user.id, sessionId: 's', instanceAdmin: false }
    const ask = async (claims: object = {}) => redeem(await assertion({ resource: undefined, ...claims }))
    return {
      ...sso,
      admin,
      grace,
      ask,
      users: async () =>
        (await listManagedUsers(admin, workspaceId, app.clientId, { number: 1, size: 10 })).rows,
      own: () => listSsoManagedApps(grace),
      installed: () => findInstalled(admin, workspaceId, app.clientId),
    }
  }
  type World = Awaited<ReturnType<typeof world>>

  describe('an SSO-managed app', () => {
    it('is listed with its users in the workspace, and in the user’s account, after its first token', async () => {
      const { ask, users, own, installed, user, owner, app, workspaceId } = await world()
      expect([await users(), await own(), (await installed()).lastUsedAt]).toEqual([[], [], null])
      const before = Date.now() - 1000
      expect((await ask()).status).toBe(200)
      const [since] = await users()
      expect(since).toMatchObject({ name: user.name })
      expect((await ask()).status).toBe(200)
      const [again, ...others] = await users()
      expect([again?.since, others]).toEqual([since?.since, []])
      expect(Number(again?.lastUsedAt)).toBeGreaterThanOrEqual(Number(since?.lastUsedAt))
      expect(Number((await installed()).lastUsedAt)).toBeGreaterThan(before)
      expect(await own()).toMatchObject([
        {
          scopes: ['workspace:member'],
          since: again?.since,
          lastUsedAt: again?.lastUsedAt,
          app: { id: app.clientId },
          workspace: { id: workspaceId, name: owner.workspace.name },
        },
      ])
    })

    it('has the same scopes on the pages of the workspace, the app, and the user, and in its token', async () => {
      const { ask, allow, own, installed, admin, workspaceId, app } = await world()
      await allow(['workspace:admin'])
      const token = String((await ask({ scope: undefined })).body.access_token)
      const said = async () => ({
        workspace: (await listManagedApps(admin, workspaceId, first)).rows[0]?.scopes,
        app: (await installed()).managed?.scopes,
        user: (await own())[0]?.scopes,
        token: (await queryApi(token, '{ currentToken { scopes } }')).data.currentToken.scopes,
      })
      const all = (...scopes: string[]) => ({ workspace: scopes, app: scopes, user: scopes, token: scopes })
      expect(await said()).toEqual(all('workspace:admin'))
      await updateApp(sessionOf(vendor), app.clientId, { allowedScopes: ['workspace:member'] })
      expect(await said()).toEqual(all('workspace:member'))
      await allow(['workspace:viewer'])
      expect(await said()).toEqual(all('workspace:viewer'))
    })

    const set = ({ user }: World, data: object) => prisma().user.update({ where: { id: user.id }, data })
    const change = ({ app }: World, data: object) =>
      prisma().oAuthClient.update({ where: { id: app.clientId }, data })
    const ends: [string, (world: World) => Promise<unknown>][] = [
      [
        'the workspace removes it',
        ({ admin, workspaceId, app }) => removeManagedApp(admin, workspaceId, app.clientId),
      ],
      [
        'the workspace loses its domain verification',
        ({ workspaceId }) =>
          prisma().workspaceIdentityProvider.update({ where: { workspaceId }, data: { verifiedAt: null } }),
      ],
      [
        'the user leaves the workspace',
        ({ workspaceId }) => prisma().workspaceMember.deleteMany({ where: { workspaceId, role: 'MEMBER' } }),
      ],
      [
        'the workspace blocks it',
        ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId),
      ],
      ['it is disabled', (here) => change(here, { disabledAt: new Date() })],
      ['it returns to development', (here) => change(here, { inDevelopment: true })],
      ['the user becomes an instance admin', (here) => set(here, { instanceAdmin: true })],
      [
        'the user’s email address leaves the domain',
        (here) => set(here, { email: `${here.user.id}@elsewhere.test` }),
      ],
    ]
    it.each(ends)('is no longer listed after %s', async (_title, end) => {
      const here = await world()
      await here.ask()
      expect([(await here.users()).length, (await here.own()).length]).toEqual([1, 1])
      await end(here)
      expect([await here.users(), await here.own()]).toEqual([[], []])
    })

    it('is listed for the user even if many other apps have lost access', async () => {
      const { ask, own, user, workspaceId, app } = await world()
      await ask()
      const gone = Array.from({ length: 100 }, (_, n) => ({
        id: randomUUID(),
        clientId: `gone-${n}-${user.id}`,
      }))
      await prisma().oAuthClient.createMany({
        data: gone.map(({ clientId: id }) => ({
          id,
          type: 'WEB' as const,
          name: 'Gone',
          redirectUris: [],
          disabledAt: new Date(),
        })),
      })
      await prisma().managedApp.createMany({
        data: gone.map((each) => ({ ...each, workspaceId, scopes: ['workspace:member'] })),
      })
      const lastUsedAt = new Date(Date.now() + 3_600_000)
      await prisma().managedUse.createMany({
        data: gone.map(({ id: managedAppId }) => ({ managedAppId, userId: user.id, lastUsedAt })),
      })
      expect(await own()).toMatchObject([{ app: { id: app.clientId } }])
    })

    it('is listed only for members who use it, and its users are listed only for admins', async () => {
      const { grace, workspaceId, app, owner, ask } = await world()
      await ask()
      const page = { number: 1, size: 10 }
      await expect(listManagedUsers(grace, workspaceId, app.clientId, page)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      const other = await makeUser()
      await joinWorkspace(owner.workspace, other, 'MEMBER')
      expect(
        await listSsoManagedApps({
          kind: 'session',
          userId: other.id,
          sessionId: 's',
          instanceAdmin: false,
        }),
      ).toEqual([])
    })
  })

  describe('the workspace’s app policy', () => {
    it('applies to the app’s assertions, and both the error response and the admin’s page give the reason for a rejection', async () => {
      const { ask, admin, workspaceId, app, installed, own } = await world()
      await ask()
      const refused = async (reason: keyof typeof assertionRefusals) => {
        expect(await ask()).toMatchObject(refusedFor(reason))
        expect((await installed()).admission).toEqual({ kind: 'closed', reason })
      }
      await setPolicy(admin, workspaceId, { policy: 'APPROVED' })
      await refused('not-approved')
      expect((await own())[0]?.workspace).toMatchObject({ note: 'Needs approval' })
      const approve = () => approveApp(admin, workspaceId, app.clientId, { scopes: ['workspace:member'] })
      await approve()
      expect((await ask()).status).toBe(200)
      expect((await own())[0]?.workspace).not.toHaveProperty('note')
      const where = { workspaceId, clientId: app.clientId }
      await prisma().workspaceApp.updateMany({ where, data: { expiresAt: new Date(Date.now() - 1000) } })
      await refused('ended')
      await setPolicy(admin, workspaceId, { policy: 'OWN' })
      await refused('own-apps-only')
      await setPolicy(admin, workspaceId, { policy: 'OPEN' })
      await blockApp(admin, workspaceId, app.clientId)
      await refused('blocked')
      await withdrawDecision(admin, workspaceId, app.clientId)
      expect((await ask()).status).toBe(200)
    })

    it('blocks the SSO-managed access of an unapproved app even if it is installed, and the preview shows what the app loses', async () => {
      const { ask, admin, workspaceId, app, installed } = await world()
      const scopes = ['workspace:viewer']
      await updateApp(sessionOf(vendor), app.clientId, { installScopes: scopes })
      await installApp(admin, workspaceId, app.clientId, { scopes })
      const loses = (policy: 'APPROVED' | 'OWN') => previewPolicy(admin, workspaceId, policy)
      const users = { id: app.clientId, users: 0, names: [] }
      expect(await loses('APPROVED')).toMatchObject([
        { ...users, loses: 'a part', managed: true, installed: false },
      ])
      await setPolicy(admin, workspaceId, { policy: 'APPROVED' })
      expect(await ask()).toMatchObject(refusedFor('not-approved'))
      expect((await installed()).admission).toEqual({ kind: 'closed', reason: 'not-approved' })
      expect(await loses('OWN')).toMatchObject([
        { ...users, loses: 'everything', managed: false, installed: true },
      ])
    })
  })
})

describe('revocation without access', async () => {
  /** A token that is revoked while it is blocked must stay revoked afterwards (RFC 7009). */
  const { owner: vendor } = await makeOAuthWorld()

  type User = { id: string }
  const suspended = ({ id }: User, yes: boolean) =>
    prisma().user.update({ where: { id }, data: { suspendedAt: yes ? new Date() : null } })

  /** Ways to block a user's authorization and to restore it. */
  const cutOffs: Record<string, (app: TestApp, user: User, yes: boolean) => Promise<unknown>> = {
    'because the app is in development': ({ clientId }, _, inDevelopment) =>
      prisma().oAuthClient.update({
        where: { id: clientId },
        data: { inDevelopment, version: { increment: 1 } },
      }),
    'because its user is suspended': (_, user, yes) => suspended(user, yes),
  }

  describe.each(Object.entries(cutOffs))('a user’s authorization that is blocked %s', (_, cutOff) => {
    async function signedIn() {
      const [app, user] = [await vendor.makeApp(), await makeUser()]
      const { body } = await signInToApp(await signedInBrowser(user.id), app, offline)
      return { app, user, access: String(body.access_token), renewal: String(body.refresh_token) }
    }

    it('lets the app permanently revoke the access token alone, or the whole sign-in with the refresh token', async () => {
      const { app, user, access, renewal } = await signedIn()
      await cutOff(app, user, true)
      expect(await revoke(app, access)).toBe(200)
      await cutOff(app, user, false)
      expect((await userinfo(access)).status).toBe(401)
      const renewed = await refresh(app, renewal)
      expect(renewed.status).toBe(200)
      const next = String(renewed.body.refresh_token)
      await cutOff(app, user, true)
      expect(await revoke(app, next)).toBe(200)
      await cutOff(app, user, false)
      expect((await refresh(app, next)).body.error).toBe('invalid_grant')
      expect((await userinfo(String(renewed.body.access_token))).status).toBe(401)
    })

    it('cannot be revoked by another app', async () => {
      const { app, user, access, renewal } = await signedIn()
      const other = await vendor.makeApp()
      await cutOff(app, user, true)
      for (const token of [access, renewal]) await revoke(other, token)
      await cutOff(app, user, false)
      expect((await userinfo(access)).status).toBe(200)
      expect((await refresh(app, renewal)).status).toBe(200)
    })
  })

  describe('a token without user consent', () => {
    it('stays revoked if its app revokes it while its installation is suspended, but another app cannot revoke it', async () => {
      const { app, admin, workspaceId, token } = await makeInstallationWorld(vendor)
      const [one, two] = [await token(), await token()]
      await suspendInstallation(admin, workspaceId, app.clientId)
      expect(await revoke(app, one)).toBe(200)
      await revoke(await vendor.makeApp(), two)
      await resumeInstallation(admin, workspaceId, app.clientId)
      expect((await queryApi(one, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
      expect((await introspect(app, two)).active).toBe(true)
    })

    it('stays revoked if its app revokes it while its SSO-managed user is suspended', async () => {
      const { app, user, redeem, assertion } = await makeSsoWorkspace(await providers.make(), vendor)
      const [one, two] = [await redeem(await assertion()), await redeem(await assertion())].map(({ body }) =>
        String(body.access_token),
      ) as [string, string]
      await suspended(user, true)
      expect(await revoke(app, one)).toBe(200)
      await suspended(user, false)
      expect((await introspect(app, one)).active).toBe(false)
      expect((await introspect(app, two)).active).toBe(true)
    })
  })
})
