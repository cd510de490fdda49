import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp, withdrawDecision } from '@/lib/features/app-access/decide'
import { installApp } from '@/lib/features/app-access/installations'
import { findInstalled } from '@/lib/features/app-access/list-installed'
import { previewPolicy, setPolicy } from '@/lib/features/app-access/policy'
import { updateApp } from '@/lib/features/apps/update-app'
import type { assertionRefusals } from '@/lib/features/sso/assertion'
import { removeProvider, setProvider } from '@/lib/features/sso/identity-provider'
import { allowManagedApp, listManagedApps, removeManagedApp } from '@/lib/features/sso/managed-apps'
import { listManagedUsers, listSsoManagedApps } from '@/lib/features/sso/managed-users'
import { removeMember } from '@/lib/features/workspaces/remove-member'
import type { SessionActor } from '@/lib/policy/actor'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { callTool } from '@/lib/testing/call-tool'
import { makeClientKey } from '@/lib/testing/client-key'
import { joinWorkspace, makeProject, makeUser } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { requestToken, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { jwtBearer, makeSsoWorkspace, refusedFor, startProviders } from '@/lib/testing/sso-world'

const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

const anywhere = { resource: undefined }

/** Creates a workspace with an SSO-managed app, and functions that read what its pages show. */
async function world() {
  const sso = await makeSsoWorkspace(await providers.make(), vendor)
  const { workspaceId, app, user, owner, redeem, assertion } = sso
  const admin = sessionOf(owner)
  const grace: SessionActor = { kind: 'session', userId: user.id, sessionId: 's', instanceAdmin: false }
  return {
    ...sso,
    admin,
    grace,
    ask: async (claims: object = {}) => redeem(await assertion({ ...anywhere, ...claims })),
    users: async () =>
      (await listManagedUsers(admin, workspaceId, app.clientId, { number: 1, size: 10 })).rows,
    own: () => listSsoManagedApps(grace),
    installed: () => findInstalled(admin, workspaceId, app.clientId),
  }
}
type World = Awaited<ReturnType<typeof world>>

/** Creates the same world with an SSO-managed token. @param claims changes to the claims of its assertion */
async function withToken(claims: object = {}) {
  const here = await world()
  const { body } = await here.redeem(await here.assertion(claims))
  const token = String(body.access_token)
  const read = () => queryApi(token, `{ workspace(workspaceId: "${here.workspaceId}") { id } }`)
  return { ...here, token, read }
}

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
      workspace: (
        await listManagedApps(admin, workspaceId, { limit: 10, backward: false, after: null, before: null })
      ).rows[0]?.scopes,
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
    ['the workspace blocks it', ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId)],
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
describe('an SSO-managed token', () => {
  it('acts for the user in one workspace, and its actions are recorded there', async () => {
    const { token, workspaceId, user, app, owner } = await withToken(anywhere)
    const made = await queryApi(
      token,
      `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "By an agent" }) { id } }`,
    )
    expect(made.code).toBe('ok')
    const { data } = await queryApi(
      token,
      '{ me { id } currentToken { kind scopes workspace { id } authorization { id } } projects(first: 5) { nodes { name } } }',
    )
    expect(data).toEqual({
      me: { id: user.id },
      currentToken: {
        kind: 'OAUTH',
        scopes: ['workspace:member'],
        workspace: { id: workspaceId },
        authorization: null,
      },
      projects: { nodes: [{ name: owner.project.name }, { name: 'By an agent' }] },
    })
    const where = { workspaceId, action: 'project.created' }
    const event = await prisma().auditEvent.findFirstOrThrow({ where })
    expect(event).toMatchObject({ userId: user.id, actorKind: 'oauth', actorId: app.clientId })
  })

  it('has no access to the user’s other workspaces, other projects, or account', async () => {
    const { token, user, workspaceId } = await withToken(anywhere)
    const other = await makeOwner()
    await joinWorkspace(other.workspace, user, 'ADMIN')
    const guest = await makeOwner()
    const project = await makeProject(guest.workspace, [[user, 'ADMIN']])
    const { data } = await queryApi(token, '{ projects(first: 9) { nodes { workspace { id } } } }')
    expect(data.projects.nodes).toEqual([{ workspace: { id: workspaceId } }])
    expect(
      (await queryApi(token, `{ workspace(workspaceId: "${other.workspace.id}") { id } }`)).code,
    ).not.toBe('ok')
    expect((await queryApi(token, `{ project(id: "${project.id}") { id } }`)).code).not.toBe('ok')
    expect((await queryApi(token, '{ me { email } }')).code).toBe('INSUFFICIENT_SCOPE')
    expect((await queryApi(token, '{ apiTokens(first: 1) { nodes { id } } }')).code).not.toBe('ok')
    expect((await userinfo(token)).status).toBe(401)
  })

  it('has no more access than the user’s role and the allowed scopes', async () => {
    const { allow, redeem, assertion, workspaceId, user } = await withToken()
    await allow(['workspace:admin'])
    const { body } = await redeem(await assertion({ scope: undefined, resource: undefined }))
    const rename = () =>
      queryApi(
        String(body.access_token),
        `mutation { workspaceUpdate(id: "${workspaceId}", input: { name: "Mine" }) { id } }`,
      )
    expect((await rename()).code).toBe('FORBIDDEN')
    const where = { workspaceId_userId: { workspaceId, userId: user.id } }
    await prisma().workspaceMember.update({ where, data: { role: 'ADMIN' } })
    expect((await rename()).code).toBe('ok')
    await allow(['workspace:viewer'])
    expect((await rename()).code).toBe('INSUFFICIENT_SCOPE')
  })

  it('has no more scopes than the app can request', async () => {
    const { allow, redeem, assertion, app, workspaceId } = await withToken()
    await allow(['workspace:member'])
    const { body } = await redeem(await assertion({ scope: undefined, resource: undefined }))
    const create = () =>
      queryApi(
        String(body.access_token),
        `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "One more" }) { id } }`,
      )
    expect((await create()).code).toBe('ok')
    const data = { allowedScopes: ['workspace:viewer'] }
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data })
    expect((await create()).code).toBe('INSUFFICIENT_SCOPE')
  })

  it('works only at its resource', async () => {
    const { token, read } = await withToken()
    expect((await callTool(token, 'list_projects')).status).toBe(200)
    expect((await read()).code).toBe('UNAUTHENTICATED')
  })

  it('can access a workspace that requires two-factor authentication only if the identity provider reports its use', async () => {
    const [one, two] = [await withToken(anywhere), await withToken({ ...anywhere, amr: ['pwd', 'mfa'] })]
    for (const each of [one, two]) {
      await prisma().workspace.update({ where: { id: each.workspaceId }, data: { requireTwoFactor: true } })
    }
    expect((await one.read()).code).toBe('FORBIDDEN')
    expect((await two.read()).code).toBe('ok')
  })

  it('can be introspected only by its app', async () => {
    const { token, app, user } = await withToken()
    expect(await introspect(app, token)).toMatchObject({
      active: true,
      sub: user.id,
      client_id: app.clientId,
      scope: 'workspace:member',
    })
    expect(await introspect(await vendor.makeApp(), token)).toEqual({ active: false })
  })

  it('is issued and accepted only with a proof of the key that its assertion is bound to', async () => {
    const { redeem, assertion, app } = await withToken()
    const key = await makeClientKey()
    const jkt = await calculateJwkThumbprint(key.jwks.keys[0] as JWK)
    const sent = await assertion({ cnf: { jkt }, resource: undefined })
    expect(await redeem(sent)).toMatchObject(refusedFor('proof'))
    const other = await makeClientKey()
    const by = async (proof: string) => requestToken(app, { ...jwtBearer, assertion: sent }, { dpop: proof })
    expect(await by(await other.proof('POST', '/oauth/token'))).toMatchObject(refusedFor('proof'))
    const { status, body } = await by(await key.proof('POST', '/oauth/token'))
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect((await queryApi(String(body.access_token), '{ me { id } }')).code).toBe('UNAUTHENTICATED')
  })
})

describe('an SSO-managed token is rejected at the next request', () => {
  const ends: [string, (here: Awaited<ReturnType<typeof withToken>>) => Promise<unknown>][] = [
    ['when the provider is removed', ({ admin, workspaceId }) => removeProvider(admin, workspaceId)],
    [
      'when the provider is replaced',
      ({ admin, workspaceId, domain }) =>
        setProvider(admin, workspaceId, { issuer: 'https://new.example.test', clientId: 'a', domain }),
    ],
    [
      'when the domain changes and is not verified',
      async ({ admin, workspaceId }) => {
        const { issuer } = await prisma().workspaceIdentityProvider.findUniqueOrThrow({
          where: { workspaceId },
        })
        return setProvider(admin, workspaceId, { issuer, clientId: 'a', domain: 'other.example.test' })
      },
    ],
    [
      'when an admin removes the app',
      ({ admin, workspaceId, app }) => removeManagedApp(admin, workspaceId, app.clientId),
    ],
    [
      'when an admin removes the app, even if the app is added again',
      async ({ admin, workspaceId, app }) => {
        await removeManagedApp(admin, workspaceId, app.clientId)
        const again = { clientId: app.clientId, scopes: ['workspace:member'] }
        return allowManagedApp(admin, workspaceId, again)
      },
    ],
    ['when the app is blocked', ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId)],
    [
      'when an admin removes the user',
      ({ admin, workspaceId, user }) => removeMember(admin, workspaceId, user.id),
    ],
    [
      'when the user is suspended',
      ({ user }) => prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } }),
    ],
    [
      'when the user becomes an instance admin',
      ({ user }) => prisma().user.update({ where: { id: user.id }, data: { instanceAdmin: true } }),
    ],
    [
      'when the user’s email address leaves the domain',
      ({ user, domain }) =>
        prisma().user.update({ where: { id: user.id }, data: { email: `grace@below.${domain}` } }),
    ],
    [
      'when the instance admin disables the app',
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { disabledAt: new Date() } }),
    ],
    ['when the app revokes it', ({ app, token }) => revoke(app, token)],
  ]
  it.each(ends)('%s', async (title, end) => {
    const here = await withToken(anywhere)
    expect((await here.read()).code).toBe('ok')
    await end(here)
    expect((await here.read()).code).not.toBe('ok')
    if (title.includes('blocked') || title.includes('disables')) return
    expect(await introspect(here.app, here.token)).toEqual({ active: false })
  })
})
