import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { parsePage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { listInstanceEvents } from './list-instance-events'
import { getUser, listAllApps, listAllWorkspaces, listUsers, type UserState } from './lists'
import { decideVerification, setAppDisabled } from './manage-apps'
import { listSigningKeys, rotateSigningKeys, rotateSigningKeysByCommand } from './manage-keys'
import {
  makeResetLink,
  removeTwoFactorMethods,
  setInstanceAdmin,
  signOutUser,
  suspendUser,
  unsuspendUser,
} from './manage-users'
import { readHealth, readSettings } from './read-instance'
import { listReplicas } from './replicas'
import { getWorkspace, listWorkspaceMembers } from './workspaces'

const firstPage = parsePage({ first: 25 })
let instanceAdmin: SessionActor
let grace: { id: string; email: string }

beforeEach(async () => {
  const { id } = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
  grace = await makeUser()
})

describe('the instance admin area', () => {
  it('rejects users who are not instance admins, and instance admins’ API tokens', async () => {
    const others: Actor[] = [
      { ...instanceAdmin, instanceAdmin: false },
      { kind: 'account-token', userId: instanceAdmin.userId, tokenId: randomUUID(), role: 'ADMIN' },
    ]
    for (const actor of others) {
      const attempts: (() => unknown)[] = [
        () => listUsers(actor, '', firstPage),
        () => getUser(actor, grace.id),
        () => suspendUser(actor, grace.id),
        () => unsuspendUser(actor, grace.id),
        () => signOutUser(actor, grace.id),
        () => removeTwoFactorMethods(actor, grace.id),
        () => makeResetLink(actor, grace.id),
        () => setInstanceAdmin(actor, grace.id, true),
        () => listAllWorkspaces(actor, '', firstPage),
        () => listAllApps(actor, { search: '' }),
        () => setAppDisabled(actor, 'x', true),
        () => decideVerification(actor, 'x', { decision: 'verify', version: 0 }),
        () => listSigningKeys(actor),
        () => rotateSigningKeys(actor),
        () => readSettings(actor),
        () => readHealth(actor),
        () => listReplicas(actor),
        () => listInstanceEvents(actor, {}, firstPage),
        () => getWorkspace(actor, randomUUID()),
        () => listWorkspaceMembers(actor, randomUUID(), firstPage),
      ]
      for (const attempt of attempts) {
        await expect(async () => attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
      }
    }
  })

  it.each([
    ['demote', (actor: SessionActor, id: string) => setInstanceAdmin(actor, id, false)],
    ['suspend', suspendUser],
  ])('keeps one of two instance admins who %s each other at the same time', async (_what, act) => {
    const other = await makeUser({ instanceAdmin: true })
    const actors = [instanceAdmin, { ...instanceAdmin, userId: other.id }] as const
    const results = await Promise.allSettled([act(actors[0], other.id), act(actors[1], instanceAdmin.userId)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = { id: { in: [instanceAdmin.userId, other.id] }, instanceAdmin: true, suspendedAt: null }
    expect(await prisma().user.count({ where: left })).toBe(1)
  })

  it('finds users and workspaces by part of their name, and treats wildcards as plain characters', async () => {
    const mark = randomUUID()
    const ada = await makeUser({ name: `Ada ${mark}`, email: `${mark}@example.com` })
    const workspace = await makeWorkspace([[ada, 'ADMIN']], { name: `Acme ${mark}`, slug: `acme-${mark}` })
    const idsOf = async (search: string) =>
      (await listUsers(instanceAdmin, search, firstPage)).rows.map(({ id }) => id)
    expect(await idsOf(mark.toUpperCase())).toEqual([ada.id])
    expect(await idsOf(`${mark}%`)).toEqual([])
    expect(await idsOf('')).toContain(grace.id)
    expect((await listAllWorkspaces(instanceAdmin, mark, firstPage)).rows).toMatchObject([
      { id: workspace.id, _count: { members: 1 } },
    ])
    expect(await getUser(instanceAdmin, ada.id)).toMatchObject({
      workspaces: [{ id: workspace.id, role: 'ADMIN' }],
      totp: false,
    })
    await expect(getUser(instanceAdmin, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('lists users by state, with the time of the last activity in a browser session', async () => {
    const mark = randomUUID()
    const active = await makeUser({ name: `${mark} active` })
    const suspended = await makeUser({ name: `${mark} suspended`, suspendedAt: new Date() })
    const unconfirmed = await makeUser({ name: `${mark} unconfirmed` })
    await prisma().user.update({ where: { id: unconfirmed.id }, data: { emailVerifiedAt: null } })
    const admin = await makeUser({ name: `${mark} admin`, instanceAdmin: true })
    await startSession({}, active.id, ['pwd'])
    const listed = async (state?: UserState) => (await listUsers(instanceAdmin, mark, firstPage, state)).rows
    const idsOf = async (state?: UserState) => (await listed(state)).map(({ id }) => id)
    expect(await idsOf()).toEqual([admin, unconfirmed, suspended, active].map(({ id }) => id))
    expect(await idsOf('active')).toEqual([admin.id, active.id])
    expect(await idsOf('suspended')).toEqual([suspended.id])
    expect(await idsOf('unconfirmed')).toEqual([unconfirmed.id])
    expect(await idsOf('admin')).toEqual([admin.id])
    expect((await listed('active')).map(({ lastActiveAt }) => lastActiveAt)).toEqual([null, expect.any(Date)])
  })
})

describe('a user', () => {
  it('loses all access during a suspension, after which tokens work again but sessions do not', async () => {
    const session = await startSession({}, grace.id, ['pwd'])
    const { token: apiToken } = await makeApiToken(grace)
    const { token: accessToken } = await makeAccessToken(grace, ['openid'])
    const ways = async () => ({
      session: (await findLiveSession(session)) !== undefined,
      apiToken: (await callerFromBearer(apiToken)) !== undefined,
      accessToken: (await callerFromBearer(accessToken)) !== undefined,
    })
    expect(await ways()).toEqual({ session: true, apiToken: true, accessToken: true })
    await suspendUser(instanceAdmin, grace.id)
    await suspendUser(instanceAdmin, grace.id)
    expect(await ways()).toEqual({ session: false, apiToken: false, accessToken: false })
    await unsuspendUser(instanceAdmin, grace.id)
    await unsuspendUser(instanceAdmin, grace.id)
    expect(await ways()).toEqual({ session: false, apiToken: true, accessToken: true })
    const events = await listInstanceEvents(instanceAdmin, { search: grace.id }, firstPage)
    expect(events.rows.map(({ action }) => action)).toEqual(['user.unsuspended', 'user.suspended'])
  })

  it('is signed out when an instance admin ends all sessions or removes the two-factor methods', async () => {
    const session = await startSession({}, grace.id, ['pwd'])
    await signOutUser(instanceAdmin, grace.id)
    expect(await findLiveSession(session)).toBeUndefined()
    await prisma().passkey.create({
      data: { id: randomUUID(), userId: grace.id, name: 'Key', publicKey: new Uint8Array(1) },
    })
    const again = await startSession({}, grace.id, ['hwk', 'mfa'])
    await removeTwoFactorMethods(instanceAdmin, grace.id)
    expect(await prisma().passkey.count({ where: { userId: grace.id } })).toBe(0)
    expect(await findLiveSession(again)).toBeUndefined()
  })

  it('can set a new password with a link that an instance admin created', async () => {
    const { link } = await makeResetLink(instanceAdmin, grace.id)
    const token = new URL(link).searchParams.get('token')
    await resetPassword({}, { token, password: 'an entirely new password' })
    const { rows } = await listInstanceEvents(instanceAdmin, { search: 'user.reset_link_created' }, firstPage)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('loses sessions from identity providers on becoming an instance admin, and no instance admin can suspend or demote themselves', async () => {
    const [byProvider, byPassword] = [
      await startSession({}, grace.id, ['ext']),
      await startSession({}, grace.id, ['pwd']),
    ]
    await setInstanceAdmin(instanceAdmin, grace.id, true)
    await setInstanceAdmin(instanceAdmin, grace.id, true)
    expect(await findLiveSession(byProvider)).toBeUndefined()
    expect(await findLiveSession(byPassword)).toBeDefined()
    const { rows } = await listInstanceEvents(instanceAdmin, { search: grace.id }, firstPage)
    expect(rows.map(({ action }) => action)).toEqual(['user.instance_admin_added'])
    expect((await prisma().user.findUniqueOrThrow({ where: { id: grace.id } })).instanceAdmin).toBe(true)
    const own = instanceAdmin.userId
    for (const attempt of [
      () => suspendUser(instanceAdmin, own),
      () => suspendUser(instanceAdmin, own.toUpperCase()),
      () => removeTwoFactorMethods(instanceAdmin, own),
      () => setInstanceAdmin(instanceAdmin, own, false),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'CONFLICT' })
    }
  })
})

describe('an app', () => {
  it('loses access on the next request after it is disabled, and regains access when it is enabled', async () => {
    const { token, client } = await makeAccessToken(grace, ['openid'])
    await setAppDisabled(instanceAdmin, client.id, true)
    expect(await callerFromBearer(token)).toBeUndefined()
    await setAppDisabled(instanceAdmin, client.id, false)
    expect(await callerFromBearer(token)).toBeDefined()
    await expect(setAppDisabled(instanceAdmin, 'none', true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is found by name and source, and two concurrent verifications record only one event', async () => {
    const workspace = await makeWorkspace([[grace, 'ADMIN']])
    const mark = randomUUID()
    const { client } = await makeClient(workspace, { name: `App ${mark}` })
    const { client: dynamic } = await makeClient(undefined, { name: `Agent ${mark}`, source: 'DYNAMIC' })
    const found = await listAllApps(instanceAdmin, { search: mark })
    expect(found.apps.map(({ id }) => id).sort()).toEqual([client.id, dynamic.id].sort())
    const dynamicOnly = await listAllApps(instanceAdmin, { search: mark, source: 'DYNAMIC' })
    expect(dynamicOnly.apps.map(({ id }) => id)).toEqual([dynamic.id])
    // A second click, or a second tab with the old state, does not cause a second event.
    await Promise.all([
      decideVerification(instanceAdmin, client.id, { decision: 'verify', version: 0 }),
      decideVerification(instanceAdmin, client.id, { decision: 'verify', version: 0 }),
    ])
    expect((await listAllApps(instanceAdmin, { search: client.id })).apps[0]?.verifiedAt).toBeInstanceOf(Date)
    expect(await prisma().auditEvent.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })
})

it('a rotation of the signing keys publishes new keys before they sign, and is recorded as a system action if run by command', async () => {
  await rotateSigningKeys(instanceAdmin)
  await prisma().signingKey.updateMany({ data: { signsFrom: new Date(Date.now() - 1000) } })
  const { signsFrom } = await rotateSigningKeys(instanceAdmin)
  expect(signsFrom.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
  const states = (await listSigningKeys(instanceAdmin)).map(({ state }) => state)
  expect(states.filter((state) => state === 'announced')).toHaveLength(3)
  expect(states.filter((state) => state === 'signing')).toHaveLength(3)
  expect(JSON.stringify(await listSigningKeys(instanceAdmin))).not.toContain('"d"')

  const { kids } = await rotateSigningKeysByCommand({ aheadSeconds: 600, withdraw: false })
  const [event] = await prisma().auditEvent.findMany({
    where: { action: 'signing_keys.rotated' },
    orderBy: { createdAt: 'desc' },
    take: 1,
  })
  expect(event).toMatchObject({ actorKind: 'system', userId: null, resourceId: kids.join(' ') })
})

it('readHealth returns the database version, the missing migrations, and the number of users', async () => {
  const health = await readHealth(instanceAdmin)
  expect(health.database).toMatchObject({ version: expect.stringMatching(/^\d+/), missing: [] })
  expect(health.counts.users).toBeGreaterThan(1)
})
