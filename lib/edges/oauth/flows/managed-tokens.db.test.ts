import { calculateJwkThumbprint, type JWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { blockApp } from '@/lib/features/app-access/decide'
import { removeProvider, setProvider } from '@/lib/features/sso/identity-provider'
import { allowManagedApp, removeManagedApp } from '@/lib/features/sso/managed-apps'
import { removeMember } from '@/lib/features/workspaces/remove-member'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { callTool } from '@/lib/testing/call-tool'
import { makeClientKey } from '@/lib/testing/client-key'
import { joinWorkspace, makeProject } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { requestToken, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { jwtBearer, makeSsoWorkspace, refusedFor, startProviders } from '@/lib/testing/sso-world'

/** The access of SSO-managed tokens, and the changes that revoke them. */
const { owner: vendor } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())

async function world(claims: object = {}) {
  const sso = await makeSsoWorkspace(await providers.make(), vendor)
  const { body } = await sso.redeem(await sso.assertion(claims))
  const token = String(body.access_token)
  const read = () => queryApi(token, `{ workspace(workspaceId: "${sso.workspaceId}") { id } }`)
  return { ...sso, token, read, admin: sessionOf(sso.owner) }
}
const anywhere = { resource: undefined }

describe('an SSO-managed token', () => {
  it('acts for the user in one workspace, and its actions are recorded there', async () => {
    const { token, workspaceId, user, app, owner } = await world(anywhere)
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
    const { token, user, workspaceId } = await world(anywhere)
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
    const { allow, redeem, assertion, workspaceId, user } = await world()
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
    const { allow, redeem, assertion, app, workspaceId } = await world()
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
    const { token, read } = await world()
    expect((await callTool(token, 'list_projects')).status).toBe(200)
    expect((await read()).code).toBe('UNAUTHENTICATED')
  })

  it('can access a workspace that requires two-factor authentication only if the identity provider reports its use', async () => {
    const [one, two] = [await world(anywhere), await world({ ...anywhere, amr: ['pwd', 'mfa'] })]
    for (const each of [one, two]) {
      await prisma().workspace.update({ where: { id: each.workspaceId }, data: { requireTwoFactor: true } })
    }
    expect((await one.read()).code).toBe('FORBIDDEN')
    expect((await two.read()).code).toBe('ok')
  })

  it('can be introspected only by its app', async () => {
    const { token, app, user } = await world()
    expect(await introspect(app, token)).toMatchObject({
      active: true,
      sub: user.id,
      client_id: app.clientId,
      scope: 'workspace:member',
    })
    expect(await introspect(await vendor.makeApp(), token)).toEqual({ active: false })
  })

  it('is issued and accepted only with a proof of the key that its assertion is bound to', async () => {
    const { redeem, assertion, app } = await world()
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
  type World = Awaited<ReturnType<typeof world>>
  const ends: [string, (world: World) => Promise<unknown>][] = [
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
    const here = await world(anywhere)
    expect((await here.read()).code).toBe('ok')
    await end(here)
    expect((await here.read()).code).not.toBe('ok')
    if (title.includes('blocked') || title.includes('disables')) return
    expect(await introspect(here.app, here.token)).toEqual({ active: false })
  })
})
