import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { blockApp, withdrawDecision } from '@/lib/features/app-access/decide'
import {
  installApp,
  installationResource,
  suspendInstallation,
} from '@/lib/features/app-access/installations'
import { setPolicy } from '@/lib/features/app-access/policy'
import { updateApp } from '@/lib/features/apps/update-app'
import { askApi } from '@/lib/testing/app-requests'
import { grant, makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { requestToken } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Who may use client_credentials, and for what. */
const { owner: vendor } = await startOAuthWorld()
const world = (given: object = {}) => makeInstallationWorld(vendor, given)

describe('an app that asks for itself', () => {
  it('learns of its installations, its own alone, and nothing else', async () => {
    const { app, id, resource, workspaceId, customer } = await world()
    await world()
    const { body } = await requestToken(app, { ...grant, scope: 'openid workspace:admin' })
    expect(body.scope).toBe('')
    const token = String(body.access_token)
    const { data } = await askApi(
      token,
      '{ installations { totalCount nodes { id resource workspaceId workspaceName scopes } } }',
    )
    expect(data.installations).toEqual({
      totalCount: 1,
      nodes: [
        { id, resource, workspaceId, workspaceName: customer.workspace.name, scopes: ['workspace:member'] },
      ],
    })
    expect((await askApi(token, `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).not.toBe('ok')
    expect((await askApi(token, '{ projects(first: 1) { nodes { id } } }')).code).toBe('INSUFFICIENT_SCOPE')
  })

  it('learns of none that does not count now, and of no scope that it may no longer ask for', async () => {
    const { app, admin, workspaceId, id, install } = await world()
    await install({ scopes: ['workspace:member', 'project:member'] })
    const token = String((await requestToken(app, grant)).body.access_token)
    const learns = async () => {
      const read = '{ installations(first: 5) { totalCount nodes { id scopes } } }'
      const { totalCount, nodes } = (await askApi(token, read)).data.installations
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

  it('gets no token for an installation of another app, for what is none, or for two at once', async () => {
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

  it('is refused as ever where it cannot be installed, or no longer', async () => {
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
