import { beforeEach, describe, expect, it } from 'vitest'
import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { requireApp } from '@/lib/features/apps/require-app'
import { createWebhook, rotateWebhookSecret } from '@/lib/features/webhooks/change-webhook'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireWorkspace } from '@/lib/policy/require'
import { makeAccessToken } from '@/lib/testing/access-token'
import { outcomeOf } from '@/lib/testing/concurrency'
import { fillWithApps, joinWorkspace, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { acceptTransfer, cancelTransfer, declineTransfer } from './answer-transfer'
import { findTransfers, forgetTransfers, requestTransfer } from './request-transfer'

type Named = { id: string }
const session = ({ id }: Named) =>
  ({ kind: 'session', userId: id, sessionId: 's', instanceAdmin: false }) as const

let giver: Named
let taker: Named
let from: Named
let to: Named & { slug: string }
let appId: string

beforeEach(async () => {
  ;[giver, taker] = [await makeUser(), await makeUser()]
  from = await makeWorkspace([[giver, 'ADMIN']])
  to = await makeWorkspace([[taker, 'ADMIN']])
  const { client } = await makeClient(from)
  await prisma().oAuthClient.update({ where: { id: client.id }, data: { verifiedAt: new Date() } })
  appId = client.id
})

const observed = (user: Named) => ({ ...session(user), ip: '203.0.113.77', userAgent: 'Firefox' })
const offer = (workspace = to.slug, actor = session(giver)) => requestTransfer(actor, appId, { workspace })
const ownerNow = async () =>
  (await prisma().oAuthClient.findUniqueOrThrow({ where: { id: appId } })).workspaceId
const actionsIn = async ({ id }: Named) =>
  (
    await prisma().auditEvent.findMany({
      where: { workspaceId: id, resourceId: appId },
      orderBy: { id: 'asc' },
    })
  ).map(({ action }) => action)
const toldTo = async ({ id }: Named) =>
  (await prisma().notification.findMany({ where: { userId: id }, orderBy: { id: 'asc' } })).map(
    ({ title }) => title,
  )

describe('an app transfer', () => {
  it('takes effect when an admin of the receiving workspace accepts it', async () => {
    await offer()
    expect(await ownerNow()).toBe(from.id)
    expect(await outcomeOf(requireApp(session(taker), appId))).toBe('NOT_FOUND')
    await acceptTransfer(session(taker), appId)
    expect(await ownerNow()).toBe(to.id)
    expect(await outcomeOf(requireApp(session(taker), appId))).toBe('ok')
    expect(await outcomeOf(requireApp(session(giver), appId))).toBe('NOT_FOUND')
    expect((await requireApp(session(taker), appId)).verifiedAt).toBeNull()
    for (const workspace of [from, to]) {
      expect(await actionsIn(workspace)).toEqual(['oauth_app.transfer_requested', 'oauth_app.transferred'])
    }
    expect(await toldTo(taker)).toEqual([expect.stringMatching(/ wants to transfer the app /)])
    expect(await toldTo(giver)).toEqual([expect.stringMatching(/ accepted the transfer of the app /)])
  })

  it('has no effect if it is declined or canceled, or if it expires', async () => {
    await offer(to.id)
    await declineTransfer(session(taker), appId)
    expect(await outcomeOf(acceptTransfer(session(taker), appId))).toBe('NOT_FOUND')
    expect(await toldTo(giver)).toEqual([expect.stringMatching(/ declined the transfer of the app /)])
    await offer()
    await cancelTransfer(session(giver), appId)
    expect(await outcomeOf(acceptTransfer(session(taker), appId))).toBe('NOT_FOUND')
    expect(await outcomeOf(cancelTransfer(session(giver), appId))).toBe('CONFLICT')
    await offer()
    await prisma().appTransfer.update({
      where: { clientId: appId },
      data: { expiresAt: new Date(Date.now() - 1) },
    })
    expect(await outcomeOf(acceptTransfer(session(taker), appId))).toBe('NOT_FOUND')
    await forgetTransfers()
    expect(await prisma().appTransfer.count()).toBe(0)
    expect(await ownerNow()).toBe(from.id)
    expect(await actionsIn(to)).toEqual([
      'oauth_app.transfer_requested',
      'oauth_app.transfer_declined',
      'oauth_app.transfer_requested',
      'oauth_app.transfer_canceled',
      'oauth_app.transfer_requested',
    ])
  })

  it.each([
    ['requests', 'requested', () => from, () => offer(to.slug, observed(giver))],
    ['cancels', 'canceled', () => from, () => cancelTransfer(observed(giver), appId)],
    ['declines', 'declined', () => to, () => declineTransfer(observed(taker), appId)],
    ['accepts', 'accepted', () => to, () => acceptTransfer(observed(taker), appId)],
  ])('names the admin who %s it only in the log of that admin’s workspace', async (_, what, own, act) => {
    if (what !== 'requested') await offer()
    await act()
    const action = `oauth_app.${what === 'accepted' ? 'transferred' : `transfer_${what}`}`
    const events = await prisma().auditEvent.findMany({ where: { action, resourceId: appId } })
    const [seen, hidden] = [true, false].map((isOwn) =>
      events.find(({ workspaceId }) => (workspaceId === own().id) === isOwn),
    )
    expect(seen).toMatchObject({ actorKind: 'session', userId: expect.any(String), ip: '203.0.113.77' })
    expect(hidden).toMatchObject({ actorKind: 'system', userId: null, ip: null, userAgent: null })
  })

  it('can be accepted only once, even by concurrent requests', async () => {
    const second = await makeUser()
    await joinWorkspace(to, second, 'ADMIN')
    await offer()
    const both = [taker, second].map((user) => outcomeOf(acceptTransfer(session(user), appId)))
    const outcomes = await Promise.all(both)
    expect(outcomes.filter((each) => each === 'ok')).toHaveLength(1)
    expect(await actionsIn(to)).toEqual(['oauth_app.transfer_requested', 'oauth_app.transferred'])
  })

  it('replaces an earlier transfer request for the app, which can no longer be accepted', async () => {
    const other = await makeWorkspace([[await makeUser(), 'ADMIN']])
    await offer()
    await offer(other.slug)
    expect(await outcomeOf(acceptTransfer(session(taker), appId))).toBe('NOT_FOUND')
    expect((await findTransfers(prisma(), { clientId: appId })).map((each) => each.to.id)).toEqual([other.id])
  })

  it('disables the app’s webhooks, and replaces the signing secrets that the former owner knows', async () => {
    const input = { workspaceId: from.id, clientId: appId, url: 'https://a.example/', events: ['app.*'] }
    const known: string[] = []
    for (let each = 0; each < 2; each++) {
      const created = await createWebhook(session(giver), input)
      const rotated = await rotateWebhookSecret(session(giver), created.webhook.id)
      known.push(created.secret, rotated.secret)
    }
    await offer()
    await acceptTransfer(session(taker), appId)
    const webhooks = await prisma().webhook.findMany({ where: { clientId: appId } })
    expect(webhooks).toHaveLength(2)
    for (const { id, disabledAt, sealedSecret, sealedPreviousSecret } of webhooks) {
      expect(disabledAt).not.toBeNull()
      expect(sealedPreviousSecret).toBeNull()
      const secret = unseal(sealedSecret, 'webhook-secret')
      expect(secret).toMatch(/^whsec_/)
      expect(known).not.toContain(secret)
      const { secret: shown } = await rotateWebhookSecret(session(taker), id)
      expect([...known, secret]).not.toContain(shown)
    }
  })

  it('makes the new workspace the app’s owner for app policies and for access during development', async () => {
    const user = await makeUser()
    await joinWorkspace(from, user, 'MEMBER')
    const made = await makeAccessToken(user, ['openid', 'workspace:member'], { workspaces: [from] })
    appId = made.client.id
    const own = { workspaceId: from.id, inDevelopment: true }
    await prisma().oAuthClient.update({ where: { id: appId }, data: own })
    await prisma().workspace.updateMany({ where: { id: from.id }, data: { appPolicy: 'OWN' } })
    const reads = async () => {
      const caller = await callerFromBearer(made.token)
      return caller ? outcomeOf(requireWorkspace(caller.actor, 'workspace:read', from.id)) : 'dead'
    }
    expect(await reads()).toBe('ok')
    await offer()
    await acceptTransfer(session(taker), appId)
    expect(await reads()).toBe('dead')
    const inProduction = (yes: boolean) =>
      prisma().oAuthClient.update({ where: { id: appId }, data: { inDevelopment: !yes } })
    await inProduction(true)
    expect(await reads()).toBe('APP_NOT_APPROVED')
    await inProduction(false)
    const again = { clientId: appId, scopes: ['openid'], workspaceIds: [], projectIds: [] }
    const allow = (who: Named) => outcomeOf(saveAuthorization(session(who), again))
    expect(await allow(user)).toBe('APP_IN_DEVELOPMENT')
    expect(await allow(taker)).toBe('ok')
  })
})

describe('app transfers', () => {
  it.each(['MEMBER', 'VIEWER'] as const)(
    'cannot be requested, canceled, accepted, or declined by a %s',
    async (role) => {
      const [here, there] = [await makeUser(), await makeUser()]
      await joinWorkspace(from, here, role)
      await joinWorkspace(to, there, role)
      expect(await outcomeOf(offer(to.slug, session(here)))).toBe('FORBIDDEN')
      await offer()
      expect(await outcomeOf(cancelTransfer(session(here), appId))).toBe('FORBIDDEN')
      for (const answer of [acceptTransfer, declineTransfer]) {
        expect(await outcomeOf(answer(session(there), appId))).toBe('FORBIDDEN')
      }
    },
  )

  it('cannot be changed by unrelated users, canceled by the receiving admins, or answered by the sending admins', async () => {
    const eve = await makeUser()
    await offer()
    for (const [answer, who] of [
      [acceptTransfer, eve],
      [declineTransfer, eve],
      [cancelTransfer, eve],
      [acceptTransfer, giver],
      [declineTransfer, giver],
      [cancelTransfer, taker],
    ] as const) {
      expect(await outcomeOf(answer(session(who), appId))).toBe('NOT_FOUND')
    }
    expect(await outcomeOf(offer(to.slug, session(eve)))).toBe('NOT_FOUND')
  })

  it('require an existing workspace other than the app’s own', async () => {
    for (const workspace of ['', 'no-such-workspace-anywhere', crypto.randomUUID(), from.id]) {
      await expect(offer(workspace)).rejects.toMatchObject({ details: { field: 'workspace' } })
    }
  })

  it('cannot be accepted if the receiving workspace already has 500 apps', async () => {
    await offer()
    await fillWithApps(to.id)
    expect(await outcomeOf(acceptTransfer(session(taker), appId))).toBe('CONFLICT')
    expect(await ownerNow()).toBe(from.id)
  })

  it('cannot be requested if the receiving workspace already has 20 open transfers', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    for (let count = 0; count < 20; count += 1) {
      const { client } = await makeClient(from)
      await prisma().appTransfer.create({ data: { clientId: client.id, workspaceId: to.id, expiresAt } })
    }
    expect(await outcomeOf(offer())).toBe('CONFLICT')
  })
})
