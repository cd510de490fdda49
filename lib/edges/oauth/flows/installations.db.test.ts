import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { blockApp, withdrawDecision } from '@/lib/features/app-access/decide'
import {
  installApp,
  installationResource,
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { setPolicy } from '@/lib/features/app-access/policy'
import { updateApp } from '@/lib/features/apps/update-app'
import { transferProject } from '@/lib/features/projects/transfer-project'
import { atApi, atMcp, introspect, queryApi, revoke, sendFields } from '@/lib/testing/app-requests'
import { makeClientKey } from '@/lib/testing/client-key'
import { makeProject, makeWorkspace } from '@/lib/testing/factories'
import { grant, makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { authorize, offline, refresh, requestToken, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Apps that act in a workspace without a user. */
const { owner: vendor, web, cli } = await startOAuthWorld()
const world = (given: object = {}) => makeInstallationWorld(vendor, given)
type World = Awaited<ReturnType<typeof world>>

describe('an installed app', () => {
  it('gets a token for its installation with its own credentials, and can use its scopes in that workspace', async () => {
    const { app, resource, workspaceId, id, customer } = await world()
    const { status, body, headers } = await requestToken(app, { ...grant, resource })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^lk_ins_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'workspace:member',
    })
    const token = String(body.access_token)
    const made = await queryApi(
      token,
      `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "Nightly" }) { id } }`,
    )
    expect(made.code).toBe('ok')
    const read = await queryApi(
      token,
      '{ projects(first: 5) { nodes { name } } currentToken { kind installationId scopes } }',
    )
    expect(read.data).toEqual({
      projects: { nodes: [{ name: customer.project.name }, { name: 'Nightly' }] },
      currentToken: {
        kind: 'INSTALLATION',
        installationId: id,
        scopes: ['workspace:member'],
      },
    })
    const event = await prisma().auditEvent.findFirstOrThrow({
      where: { workspaceId, action: 'project.created' },
    })
    expect(event).toMatchObject({ userId: null, actorKind: 'installation', actorId: app.clientId })
  })

  it('can authenticate with HTTP Basic authentication or a key', async () => {
    const { app, resource } = await world()
    const basic = Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')
    const header = await requestToken(
      { ...app, secret: undefined },
      { ...grant, resource },
      { authorization: `Basic ${basic}` },
    )
    expect(header.status).toBe(200)
    const key = await makeClientKey()
    const keyed = { clientAuthentication: 'PRIVATE_KEY', publicKeys: JSON.stringify(key.jwks) }
    await updateApp(sessionOf(vendor), app.clientId, keyed)
    const signed = { ...grant, resource, ...(await key.assertion(app.clientId)) }
    expect((await requestToken({ ...app, secret: undefined }, signed)).status).toBe(200)
    expect((await requestToken({ ...app, secret: 'lk_cs_no' }, { ...grant, resource })).body.error).toBe(
      'invalid_client',
    )
  })

  it('has no user, no ID token, no refresh token, and no admin permissions', async () => {
    const { app, resource, workspaceId, token } = await world()
    const { body } = await requestToken(app, {
      ...grant,
      resource,
      scope: 'openid offline_access workspace:viewer workspace:admin',
    })
    expect(body).toMatchObject({ scope: 'workspace:viewer' })
    expect(body).not.toHaveProperty('id_token')
    expect(body).not.toHaveProperty('refresh_token')
    expect((await userinfo(String(body.access_token))).status).toBe(401)
    const full = await token()
    expect((await queryApi(full, '{ me { id } }')).code).toBe('FORBIDDEN')
    for (const query of [
      `mutation { workspaceUpdate(id: "${workspaceId}", input: { name: "Mine" }) { id } }`,
      `{ auditLogs(workspaceId: "${workspaceId}", first: 1) { nodes { id } } }`,
      `{ workspaceApps(workspaceId: "${workspaceId}") { nodes { clientId } } }`,
      '{ sshPublicKeys { nodes { id } } }',
    ]) {
      expect((await queryApi(full, query)).code).toBe('FORBIDDEN')
    }
    const members = await queryApi(
      full,
      `{ workspaceMembers(workspaceId: "${workspaceId}") { nodes { name email } } }`,
    )
    expect(members.code).toBe('FORBIDDEN')
    expect(members.data.workspaceMembers.nodes).toEqual([{ name: expect.any(String), email: null }])
  })

  it('gets only its current scopes and projects, and no access to other workspaces', async () => {
    const { customer, app, resource, install, token, workspaceId } = await world()
    const [mine, other] = [await makeProject(customer.workspace), await makeProject(customer.workspace)]
    const outside = await makeProject((await makeOwner()).workspace)
    const whole = await token()
    const project = (id: string) => `{ project(id: "${id}") { id } }`
    expect((await queryApi(whole, project(outside.id))).code).toBe('NOT_FOUND')
    // A change of the scopes applies to earlier tokens at their next request.
    await install({ scopes: ['project:member'], projectIds: [mine.id] })
    const confined = await token()
    for (const each of [whole, confined]) {
      expect((await queryApi(each, project(other.id))).code).not.toBe('ok')
      expect((await queryApi(each, `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).not.toBe(
        'ok',
      )
    }
    expect((await queryApi(confined, project(mine.id))).code).toBe('ok')
    expect((await queryApi(confined, '{ projects(first: 5) { nodes { id } } }')).data.projects.nodes).toEqual(
      [{ id: mine.id }],
    )
    expect((await requestToken(app, { ...grant, resource, scope: 'workspace:viewer' })).body.error).toBe(
      'invalid_scope',
    )
  })

  it('loses access to a selected project that moves to another workspace, even if the project moves back', async () => {
    const { customer, admin, install, token } = await world()
    const [moving, staying] = [await makeProject(customer.workspace), await makeProject(customer.workspace)]
    const elsewhere = await makeWorkspace([[customer.user, 'ADMIN']])
    const { id } = await install({ scopes: ['project:member'], projectIds: [moving.id, staying.id] })
    const confined = await token()
    const seen = async () => {
      const { data } = await queryApi(confined, '{ projects(first: 5) { nodes { id } } }')
      return data.projects.nodes.map((each: { id: string }) => each.id).sort()
    }
    expect(await seen()).toEqual([moving.id, staying.id].sort())
    const transfer = (workspaceId: string) => transferProject(admin, { projectId: moving.id, workspaceId })
    for (const workspace of [elsewhere, customer.workspace, elsewhere]) {
      await transfer(workspace.id)
      expect(await seen()).toEqual([staying.id])
    }
    // An installation that is created while the project moves can still contain the project's ID.
    const projectIds = [moving.id, staying.id]
    await prisma().installation.update({ where: { id }, data: { projectIds } })
    expect(await seen()).toEqual([staying.id])
  })

  it.each<[string, (given: World) => Promise<unknown>]>([
    ['uninstalled', ({ admin, workspaceId, app }) => uninstallApp(admin, workspaceId, app.clientId)],
    ['blocked', ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId)],
    ['blocked by policy', ({ admin, workspaceId }) => setPolicy(admin, workspaceId, { policy: 'OWN' })],
    [
      'disabled by the instance admin',
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { disabledAt: new Date() } }),
    ],
    [
      'removed with its workspace',
      ({ workspaceId }) => prisma().workspace.delete({ where: { id: workspaceId } }),
    ],
  ])('loses access at its next request after it is %s', async (how, cut) => {
    const given = await world()
    const token = await given.token()
    expect((await queryApi(token, '{ projects(first: 1) { nodes { id } } }')).code).toBe('ok')
    expect(await introspect(given.app, token)).toMatchObject({
      active: true,
      client_id: given.app.clientId,
      aud: given.resource,
      scope: 'workspace:member',
    })
    await cut(given)
    expect((await queryApi(token, '{ projects(first: 1) { nodes { id } } }')).code).toBe('UNAUTHENTICATED')
    const gone = how === 'disabled by the instance admin'
    expect((await introspect(given.app, token)).active).toBe(gone ? undefined : false)
    const again = await requestToken(given.app, { ...grant, resource: given.resource })
    expect([again.status, again.body.error]).toEqual([400, gone ? 'invalid_client' : 'invalid_target'])
    if (how !== 'blocked') return
    await withdrawDecision(given.admin, given.workspaceId, given.app.clientId)
    expect((await queryApi(token, '{ projects(first: 1) { nodes { id } } }')).code).toBe('ok')
  })

  it('can revoke its own token', async () => {
    const { app, token } = await world()
    const [one, other] = [await token(), await token()]
    expect(await revoke(app, one)).toBe(200)
    expect((await introspect(app, one)).active).toBe(false)
    expect(await atApi(one)).toBe('UNAUTHENTICATED')
    expect((await introspect(app, other)).active).toBe(true)
  })

  it('keeps working if the app policy requires approval, because an admin installed it', async () => {
    const { admin, workspaceId, token } = await world()
    await setPolicy(admin, workspaceId, { policy: 'APPROVED' })
    expect((await queryApi(await token(), `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).toBe(
      'ok',
    )
  })
})

describe('the suspension of an installation', () => {
  it('invalidates existing tokens and prevents new tokens until an admin resumes the installation', async () => {
    const { admin, app, token, workspaceId, resource, install } = await world()
    const access = await token()
    const read = `{ workspace(workspaceId: "${workspaceId}") { id } }`
    await suspendInstallation(admin, workspaceId, app.clientId)
    expect((await queryApi(access, read)).code).toBe('UNAUTHENTICATED')
    expect((await introspect(app, access)).active).toBe(false)
    expect((await requestToken(app, { ...grant, resource })).body.error).toBe('invalid_target')
    // Confirming the scopes again does not resume the installation.
    await install({ scopes: ['workspace:viewer'] })
    expect((await queryApi(access, read)).code).toBe('UNAUTHENTICATED')
    await resumeInstallation(admin, workspaceId, app.clientId)
    expect((await queryApi(access, read)).code).toBe('ok')
    expect((await requestToken(app, { ...grant, resource })).status).toBe(200)
  })

  it('requires an existing installation and an admin of its workspace', async () => {
    const { workspaceId, app, admin } = await world()
    await expect(suspendInstallation(sessionOf(vendor), workspaceId, app.clientId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const other = await vendor.makeApp()
    await expect(suspendInstallation(admin, workspaceId, other.clientId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('an app that requests a token for itself', () => {
  it('can list only its own installations', async () => {
    const { app, id, resource, workspaceId, customer } = await world()
    await world()
    const { body } = await requestToken(app, { ...grant, scope: 'openid workspace:admin' })
    expect(body.scope).toBe('')
    const token = String(body.access_token)
    const { data } = await queryApi(
      token,
      '{ appInstallations { totalCount nodes { id resource workspaceId workspaceName scopes } } }',
    )
    expect(data.appInstallations).toEqual({
      totalCount: 1,
      nodes: [
        { id, resource, workspaceId, workspaceName: customer.workspace.name, scopes: ['workspace:member'] },
      ],
    })
    expect((await queryApi(token, `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).not.toBe('ok')
    expect((await queryApi(token, '{ projects(first: 1) { nodes { id } } }')).code).toBe('INSUFFICIENT_SCOPE')
  })

  it('does not list blocked or disallowed installations, or scopes that are no longer allowed, but lists suspended installations', async () => {
    const { app, admin, workspaceId, id, install } = await world()
    await install({ scopes: ['workspace:member', 'project:member'] })
    const token = String((await requestToken(app, grant)).body.access_token)
    const learns = async () => {
      const read = '{ appInstallations(first: 5) { totalCount nodes { id scopes } } }'
      const { totalCount, nodes } = (await queryApi(token, read)).data.appInstallations
      expect(totalCount).toBe(nodes.length)
      return nodes
    }
    const change = (data: object) => prisma().oAuthClient.update({ where: { id: app.clientId }, data })
    const all = [{ id, scopes: expect.arrayContaining(['workspace:member', 'project:member']) }]
    expect(await learns()).toEqual(all)
    await change({ inDevelopment: true })
    expect(await learns()).toEqual([])
    await installApp(sessionOf(vendor), vendor.workspace.id, app.clientId, { scopes: ['workspace:member'] })
    const home = { clientId: app.clientId, workspaceId: vendor.workspace.id }
    expect(await learns()).toEqual([{ id: expect.any(String), scopes: ['workspace:member'] }])
    await prisma().installation.deleteMany({ where: home })
    await change({ inDevelopment: false })
    await blockApp(admin, workspaceId, app.clientId)
    expect(await learns()).toEqual([])
    await withdrawDecision(admin, workspaceId, app.clientId)
    await setPolicy(admin, workspaceId, { policy: 'OWN' })
    expect(await learns()).toEqual([])
    await setPolicy(admin, workspaceId, { policy: 'APPROVED' })
    expect(await learns()).toEqual(all)
    await suspendInstallation(admin, workspaceId, app.clientId)
    expect(await learns()).toEqual(all)
    await change({ allowedScopes: ['openid', 'workspace:viewer'] })
    expect(await learns()).toEqual([{ id, scopes: ['workspace:viewer'] }])
  })

  it('does not list an installation in its own workspace while the app’s transfer is unfinished, if that workspace allows only its own apps', async () => {
    const { app } = await world()
    const own = { clientId: app.clientId, workspaceId: vendor.workspace.id }
    await installApp(sessionOf(vendor), own.workspaceId, app.clientId, { scopes: ['workspace:member'] })
    await setPolicy(sessionOf(vendor), own.workspaceId, { policy: 'OWN' })
    const token = String((await requestToken(app, grant)).body.access_token)
    const count = async () =>
      (
        await queryApi(token, '{ appInstallations(first: 5) { nodes { workspaceId } } }')
      ).data.appInstallations.nodes.filter(
        (node: { workspaceId: string }) => node.workspaceId === own.workspaceId,
      ).length
    expect(await count()).toBe(1)
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { transferredAt: new Date() } })
    expect(await count()).toBe(0)
    await setPolicy(sessionOf(vendor), own.workspaceId, { policy: 'OPEN' })
  })

  it('gets no token for another app’s installation, an unknown installation, or two installations in one request', async () => {
    const [one, other] = [await world(), await world()]
    for (const resource of [other.resource, installationResource('nothing'), 'https://elsewhere.test/']) {
      expect((await requestToken(one.app, { ...grant, resource })).body.error).toBe('invalid_target')
    }
    const both = new URLSearchParams({
      ...grant,
      client_id: one.app.clientId,
      client_secret: String(one.app.secret),
    })
    for (const resource of [one.resource, other.resource]) both.append('resource', resource)
    const response = await fetch(new URL('/oauth/token', config().BASE_URL), { method: 'POST', body: both })
    expect((await response.json()).error).toBe('invalid_target')
  })

  it('is rejected if it is not, or no longer, installable', async () => {
    const { app, resource } = await world()
    await updateApp(sessionOf(vendor), app.clientId, { installScopes: [] })
    const plain = await vendor.makeApp()
    const cli = await vendor.makeApp(native)
    for (const each of [app, plain, cli]) {
      const { status, body } = await requestToken(each, { ...grant, resource })
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
    }
    await expect(
      updateApp(sessionOf(vendor), cli.clientId, { installScopes: ['workspace:viewer'] }),
    ).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    const registered = await fetch(new URL('/oauth/register', config().BASE_URL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://a.example.test/cb'],
        grant_types: ['client_credentials'],
      }),
    })
    expect((await registered.json()).grant_types).not.toContain('client_credentials')
  })
})

describe('an installation', () => {
  let given: World
  let rival: World
  beforeAll(async () => {
    given = await makeInstallationWorld(await makeOwner())
    rival = await makeInstallationWorld(await makeOwner())
  })

  it.each<[string, (by: World) => Promise<unknown>, ((by: World) => Promise<unknown>) | undefined]>([
    [
      'suspended',
      ({ admin, workspaceId, app }) => suspendInstallation(admin, workspaceId, app.clientId),
      ({ admin, workspaceId, app }) => resumeInstallation(admin, workspaceId, app.clientId),
    ],
    [
      'blocked',
      ({ admin, workspaceId, app }) => blockApp(admin, workspaceId, app.clientId),
      ({ admin, workspaceId, app }) => withdrawDecision(admin, workspaceId, app.clientId),
    ],
    [
      'put back into development',
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { inDevelopment: true } }),
      ({ app }) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { inDevelopment: false } }),
    ],
    [
      'uninstalled and installed again',
      async ({ admin, workspaceId, app, install }) => {
        await uninstallApp(admin, workspaceId, app.clientId)
        await install({})
      },
      undefined,
    ],
  ])('has no valid token at any endpoint after it or its app is %s', async (_how, cut, mend) => {
    const { app, resource } = given
    const [token, spare, other] = [await given.token(), await given.token(), await rival.token()]
    expect([await atApi(token), await atMcp(token)]).toEqual(['ok', 200])
    const own = String((await requestToken(app, grant)).body.access_token)
    await cut(given)
    for (const each of [token, spare]) {
      expect([await atApi(each), await atMcp(each), (await userinfo(each)).status]).toEqual([
        'UNAUTHENTICATED',
        401,
        401,
      ])
      expect(await introspect(app, each)).toEqual({ active: false })
      for (const query of [
        '{ me { id } }',
        '{ projects(first: 1) { nodes { id } } }',
        `{ workspace(workspaceId: "${given.workspaceId}") { id } }`,
        `mutation { projectCreate(input: { workspaceId: "${given.workspaceId}", name: "x" }) { id } }`,
      ]) {
        expect((await queryApi(each, query)).code).toBe('UNAUTHENTICATED')
      }
    }
    for (const scope of [undefined, 'workspace:member', 'openid', 'workspace:admin']) {
      const again = await requestToken(app, { ...grant, resource, ...(scope ? { scope } : {}) })
      expect([scope, again.body.error]).toEqual([scope, 'invalid_target'])
    }
    // The token that lists the installations has no access to the workspace.
    for (const query of [
      `{ workspace(workspaceId: "${given.workspaceId}") { id } }`,
      '{ projects(first: 1) { nodes { id } } }',
    ]) {
      expect((await queryApi(own, query)).code).not.toBe('ok')
    }
    // An invalid token can still be revoked, and stays revoked.
    expect(await revoke(app, spare)).toBe(200)
    expect([await atApi(other), await atMcp(other)]).toEqual(['ok', 200])
    if (!mend) return
    await mend(given)
    expect(await atApi(token)).toBe('ok')
    expect(await atApi(spare)).toBe('UNAUTHENTICATED')
  })

  it('is accepted as a resource only if its own app requests it alone, with the exact URL (ignoring case in the ID)', async () => {
    const fresh = await makeInstallationWorld(await makeOwner())
    const { id, app, resource } = fresh
    const at = `${config().BASE_URL}/installations/`
    for (const named of [
      rival.resource,
      `${resource}/`,
      `${resource}?`,
      `${resource}?id=${rival.id}`,
      `${resource}#`,
      `${resource}/../${rival.id}`,
      `${at}${rival.id}/../${id}`,
      `${at}/${id}`,
      `${at}{${id}}`,
      `${at}${id.replaceAll('-', '')}`,
      `${at}urn:uuid:${id}`,
      `${at}${id}%00`,
      `${at}${id}\0`,
      `${at}${id},${rival.id}`,
      `${at}*`,
      `${at}`,
      `${config().BASE_URL}/Installations/${id}`,
      `${config().BASE_URL}/installations%2F${id}`,
      `${config().BASE_URL.replace('http:', 'https:')}/installations/${id}`,
      `https://other.example/installations/${id}`,
      id,
    ]) {
      const tried = await requestToken(app, { ...grant, resource: named })
      expect([named, tried.status, tried.body.error]).toEqual([named, 400, 'invalid_target'])
    }
    for (const others of [
      [resource, rival.resource],
      [rival.resource, resource],
    ]) {
      const fields = others.map((each): [string, string] => ['resource', each])
      const tried = await sendFields(app, [['grant_type', 'client_credentials'], ...fields])
      expect(tried.body.error).toBe('invalid_target')
    }
    // The uppercase spelling is the same UUID, so this token is revoked with the installation too.
    const capitals = await requestToken(app, { ...grant, resource: `${at}${id.toUpperCase()}` })
    await suspendInstallation(fresh.admin, fresh.workspaceId, app.clientId)
    expect(capitals.status).toBe(200)
    expect(await atApi(String(capitals.body.access_token))).toBe('UNAUTHENTICATED')
  })

  it('cannot be the resource of a sign-in, a device request, or a refresh', async () => {
    const { resource, app } = rival
    expect((await authorize(vendor.browser, app, { resource })).get('error')).toBe('invalid_target')
    const request: [string, string][] = [
      ['scope', 'openid'],
      ['resource', resource],
    ]
    expect((await sendFields(cli, request, '/oauth/device/auth')).body.error).toBe('invalid_target')
    const { body } = await signInToApp(vendor.browser, app, offline)
    expect((await refresh(app, String(body.refresh_token), { resource })).body.error).toBe('invalid_target')
  })

  it('keeps its tokens and scopes if another app tries to introspect or revoke the tokens, or its app requests more scopes', async () => {
    const token = await rival.token()
    expect(await introspect(given.app, token)).toEqual({ active: false })
    expect(await introspect(web, token)).toEqual({ active: false })
    await revoke(given.app, token)
    await revoke(web, token)
    expect([await atApi(token), await atMcp(token)]).toEqual(['ok', 200])
    for (const scope of [
      'workspace:admin',
      'project:admin',
      'openid',
      'email',
      'notifications',
      'ssh_keys',
      'x',
    ]) {
      const tried = await requestToken(rival.app, { ...grant, resource: rival.resource, scope })
      expect([scope, tried.body.error]).toEqual([scope, 'invalid_scope'])
    }
    const mixed = await requestToken(rival.app, {
      ...grant,
      resource: rival.resource,
      scope: 'workspace:viewer workspace:admin openid offline_access',
    })
    expect(mixed.body.scope).toBe('workspace:viewer')
    expect((await userinfo(token)).status).toBe(401)
    for (const each of ['/graphql/v2', '/mcp', '', '/']) {
      const { body } = await requestToken(rival.app, { ...grant, resource: config().BASE_URL + each })
      const { data } = await queryApi(String(body.access_token), '{ projects(first: 1) { nodes { id } } }')
      expect(data?.projects ?? null).toBeNull()
    }
  })
})
