import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { revokeForAllUsers } from '@/lib/features/app-access/decide'
import {
  installApp,
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { acceptTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { requestTransfer } from '@/lib/features/app-transfers/request-transfer'
import { revokeAllUsers } from '@/lib/features/apps/activity/revoke-users'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { deleteApp, updateApp } from '@/lib/features/apps/update-app'
import { appWebhookMessageSnippet } from '@/lib/features/docs/snippets/integrations'
import { allowManagedApp, removeManagedApp } from '@/lib/features/sso/managed-apps'
import type { SessionActor } from '@/lib/policy/actor'
import { joinWorkspace, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createWebhook, rotateWebhookSecret, updateWebhook } from './change-webhook'
import { deliver } from './deliver'
import { listWebhooks } from './list-webhooks'
import { redeliver } from './redeliver'

const session = ({ id }: { id: string }): SessionActor => ({
  kind: 'session',
  userId: id,
  sessionId: 's',
  instanceAdmin: false,
})

/** Creates an app with a webhook, and an admin of another workspace. */
async function world(events = ['app.*']) {
  const [maker, customer] = [await makeUser(), await makeUser()]
  const home = await makeWorkspace([[maker, 'ADMIN']])
  const elsewhere = await makeWorkspace([[customer, 'ADMIN']])
  const { client } = await makeClient(home)
  const make = (more: object = {}) =>
    createWebhook(session(maker), {
      workspaceId: home.id,
      clientId: client.id,
      url: 'https://app.example/hook',
      events,
      ...more,
    })
  const { webhook } = await make()
  const payloads = async (id = webhook.id) =>
    (await prisma().webhookDelivery.findMany({ where: { webhookId: id }, orderBy: { id: 'asc' } })).map(
      ({ payload }) => {
        const { type, data } = payload as { type: string; data: object }
        return { type, ...data }
      },
    )
  const allow = (scopes = ['openid', 'workspace:viewer']) =>
    saveAuthorization(session(customer), {
      clientId: client.id,
      scopes,
      workspaceIds: scopes.includes('workspace:viewer') ? [elsewhere.id] : [],
      projectIds: [],
    })
  return {
    maker: session(maker),
    customer: session(customer),
    home,
    elsewhere,
    client,
    make,
    webhook,
    payloads,
    allow,
  }
}

const nothing = { userId: null, workspaceId: null, installationId: null, scopes: null }

describe('the webhook of an app', () => {
  it('receives an event when a user in any workspace authorizes the app, changes its access, or revokes it', async () => {
    const { maker, customer, client, elsewhere, payloads, allow } = await world()
    const of = { ...nothing, clientId: client.id, userId: customer.userId }
    const { id } = await allow()
    await allow(['openid', 'email', 'workspace:viewer'])
    await revokeAuthorization(customer, id)
    await allow()
    await revokeForAllUsers(customer, elsewhere.id, client.id)
    await revokeAllUsers(maker, client.id)
    expect(await payloads()).toEqual([
      { ...of, type: 'app.authorized', scopes: ['openid', 'workspace:viewer'] },
      { ...of, type: 'app.authorization_updated', scopes: ['openid', 'email', 'workspace:viewer'] },
      { ...of, type: 'app.revoked' },
      { ...of, type: 'app.authorized', scopes: ['openid', 'workspace:viewer'] },
      { ...of, type: 'app.revoked', userId: null, workspaceId: elsewhere.id },
      { ...of, type: 'app.revoked' },
    ])
  })

  it('receives no event if an admin revokes the app for all users of a workspace that no user has shared with the app', async () => {
    const { customer, client, elsewhere, payloads, allow } = await world()
    await allow(['openid'])
    const before = await payloads()
    expect(await revokeForAllUsers(customer, elsewhere.id, client.id)).toBe(0)
    expect(await payloads()).toEqual(before)
    expect(
      await prisma().auditEvent.count({
        where: { action: 'app.revoked_for_everyone', workspaceId: elsewhere.id },
      }),
    ).toBe(0)
  })

  it('receives installation events that do not identify the admin', async () => {
    const { maker, customer, client, elsewhere, payloads } = await world()
    await updateApp(maker, client.id, { installScopes: ['workspace:viewer'] })
    await installApp(customer, elsewhere.id, client.id, { scopes: ['workspace:viewer'] })
    const { id } = await prisma().installation.findFirstOrThrow({ where: { clientId: client.id } })
    await suspendInstallation(customer, elsewhere.id, client.id)
    await resumeInstallation(customer, elsewhere.id, client.id)
    await uninstallApp(customer, elsewhere.id, client.id)
    const of = { ...nothing, clientId: client.id, workspaceId: elsewhere.id, installationId: id }
    expect(await payloads()).toEqual([
      { ...of, type: 'app.installed', scopes: ['workspace:viewer'] },
      { ...of, type: 'app.suspended' },
      { ...of, type: 'app.resumed' },
      { ...of, type: 'app.uninstalled' },
    ])
    expect(JSON.stringify(await payloads())).not.toContain(customer.userId)
  })

  it('receives an event without the admin’s ID when a workspace adds the app to its SSO-managed apps or removes it', async () => {
    const { customer, client, elsewhere, payloads } = await world()
    const { webhook: own } = await createWebhook(customer, {
      workspaceId: elsewhere.id,
      url: 'https://workspace.example/hook',
      events: ['app.managed', 'app.unmanaged'],
    })
    const scopes = ['workspace:viewer']
    await allowManagedApp(customer, elsewhere.id, { clientId: client.id, scopes })
    await removeManagedApp(customer, elsewhere.id, client.id)
    const of = { ...nothing, clientId: client.id, workspaceId: elsewhere.id }
    expect(await payloads()).toEqual([
      { ...of, type: 'app.managed', scopes },
      { ...of, type: 'app.unmanaged' },
    ])
    expect(JSON.stringify(await payloads())).not.toContain(customer.userId)
    const resource = { type: 'oauth_app', id: client.id }
    expect(await payloads(own.id)).toMatchObject([
      { type: 'app.managed', resource, actor: { userId: customer.userId }, details: { scopes } },
      { type: 'app.unmanaged', resource },
    ])
  })

  it('receives only subscribed events about its own app, and only while it is enabled', async () => {
    const { maker, client, home, webhook, payloads, allow } = await world(['app.revoked'])
    const other = await world()
    await other.allow()
    await allow()
    expect(await payloads()).toEqual([])
    await updateWebhook(maker, webhook.id, { events: ['app.authorized'], enabled: false })
    await allow()
    await updateApp(maker, client.id, { name: 'Renamed' })
    expect(await payloads()).toEqual([])
    const own = await createWebhook(maker, {
      workspaceId: home.id,
      url: 'https://workspace.example/hook',
      events: ['app.*'],
    })
    await saveAuthorization(maker, {
      clientId: client.id,
      scopes: ['openid', 'workspace:viewer'],
      workspaceIds: [home.id],
      projectIds: [],
    })
    expect((await payloads(own.webhook.id)).map(({ type }) => type)).toEqual(['app.authorized'])
    expect(await payloads()).toEqual([])
  })

  it('receives a redelivered message unchanged', async () => {
    const { maker, webhook, payloads, allow } = await world()
    await allow()
    const { id } = await prisma().webhookDelivery.findFirstOrThrow({ where: { webhookId: webhook.id } })
    await redeliver(maker, id)
    const [first, second] = await payloads()
    expect(second).toEqual(first)
  })

  it('receives messages in the documented format', async () => {
    const { webhook, allow } = await world()
    await allow()
    const { payload } = await prisma().webhookDelivery.findFirstOrThrow({ where: { webhookId: webhook.id } })
    const names = (message: object & { data: object }) =>
      [Object.keys(message), Object.keys(message.data)].map((list) => list.sort())
    expect(names(payload as { data: object })).toEqual(names(JSON.parse(appWebhookMessageSnippet())))
  })

  it('receives nothing while an instance admin has disabled the app', async () => {
    const { allow, payloads, customer, client, webhook } = await world()
    const { id } = await allow()
    const [waiting] = await prisma().webhookDelivery.findMany({ where: { webhookId: webhook.id } })
    await prisma().oAuthClient.update({ where: { id: client.id }, data: { disabledAt: new Date() } })
    await revokeAuthorization(customer, id)
    expect((await payloads()).map(({ type }) => type)).toEqual(['app.authorized'])
    const delivery = String(waiting?.id)
    expect(await deliver(delivery, false)).toBe('settled')
    expect(await prisma().webhookDelivery.findUniqueOrThrow({ where: { id: delivery } })).toMatchObject({
      status: 'FAILED',
      attempts: 0,
      response: 'The app is disabled.',
    })
  })

  it('moves with the app, stays disabled until the new admins enable it, and is deleted with the app', async () => {
    const { maker, customer, client, elsewhere, webhook, payloads, allow } = await world()
    await rotateWebhookSecret(maker, webhook.id)
    await requestTransfer(maker, client.id, { workspace: elsewhere.slug })
    await acceptTransfer(customer, client.id)
    // Messages are no longer signed with the previous secret either, because the former admins know it.
    expect(await prisma().webhook.findUnique({ where: { id: webhook.id } })).toMatchObject({
      sealedPreviousSecret: null,
      previousSecretExpiresAt: null,
    })
    expect((await listWebhooks(customer, elsewhere.id, client.id)).map(({ id }) => id)).toEqual([webhook.id])
    await allow()
    expect(await payloads()).toEqual([])
    await expect(updateWebhook(maker, webhook.id, { enabled: false })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await updateWebhook(customer, webhook.id, { enabled: true })
    await allow(['openid', 'email'])
    expect((await payloads()).map(({ type }) => type)).toEqual(['app.authorization_updated'])
    await deleteApp(customer, client.id)
    expect(await prisma().webhook.count({ where: { id: webhook.id } })).toBe(0)
  })

  it('counts toward a limit of five per app, separately from the webhooks of the workspace', async () => {
    const { maker, home, client, make } = await world()
    await createWebhook(maker, { workspaceId: home.id, url: 'https://a.example/', events: ['project.*'] })
    expect((await listWebhooks(maker, home.id)).map(({ url }) => url)).toEqual(['https://a.example/'])
    for (let more = 0; more < 4; more++) await make()
    await expect(make()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await listWebhooks(maker, home.id, client.id)).toHaveLength(5)
  })

  it.each([
    ['workspace events', { events: ['project.created'] }, 'BAD_USER_INPUT'],
    ['a private address', { url: 'https://127.0.0.1/' }, 'BAD_USER_INPUT'],
    ['an unknown app', { clientId: 'unknown' }, 'NOT_FOUND'],
  ])('cannot be created with %s', async (_, more, code) => {
    const { make } = await world()
    await expect(make(more)).rejects.toMatchObject({ code })
  })

  it('can be created only by an admin of the app’s workspace, and only in that workspace', async () => {
    const { customer, maker, elsewhere, home, client } = await world()
    const input = { clientId: client.id, url: 'https://app.example/', events: ['app.*'] }
    await expect(createWebhook(customer, { ...input, workspaceId: elsewhere.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await joinWorkspace(home, { id: customer.userId }, 'MEMBER')
    await expect(createWebhook(customer, { ...input, workspaceId: home.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await joinWorkspace(elsewhere, { id: maker.userId }, 'ADMIN')
    await expect(createWebhook(maker, { ...input, workspaceId: elsewhere.id })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })
})
