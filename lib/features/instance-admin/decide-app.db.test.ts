import { beforeEach, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { getOperatedApp } from './get-app'
import { approveApp, decideVerification } from './manage-apps'

let instanceAdmin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let admin: { id: string }
let appId: string

beforeEach(async () => {
  const { id: userId } = await makeUser({ name: 'Olga', instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId, sessionId: 's', instanceAdmin: true }
  admin = await makeUser()
  appId = (await makeClient(await makeWorkspace([[admin, 'ADMIN']]))).client.id
})

const versionOf = async (id: string) =>
  (await prisma().oAuthClient.findUniqueOrThrow({ where: { id } })).version
const decide = async (decision: string, word = '') =>
  decideVerification(instanceAdmin, appId, { decision, version: await versionOf(appId), word })
const history = async () =>
  (await getOperatedApp(instanceAdmin, appId)).events.map(({ action, user, details }) => [
    action,
    user,
    (details as { word?: string }).word,
  ])

it('a verification decision is recorded in the app’s history with its message, and the app’s admins are notified', async () => {
  await decide('decline', 'Which company is this?')
  expect((await getOperatedApp(instanceAdmin, appId)).verifiedAt).toBeNull()
  await decide('verify', 'Spoke to them')
  expect((await getOperatedApp(instanceAdmin, appId)).verifiedAt).not.toBeNull()
  await decide('decline')
  expect((await getOperatedApp(instanceAdmin, appId)).verifiedAt).toBeNull()
  expect(await history()).toEqual([
    ['oauth_app.unverified', 'Olga', undefined],
    ['oauth_app.verified', 'Olga', 'Spoke to them'],
    ['oauth_app.verification_declined', 'Olga', 'Which company is this?'],
  ])
  const notifications = await prisma().notification.findMany({
    where: { userId: admin.id },
    orderBy: { id: 'asc' },
  })
  expect(notifications.map(({ title }) => title.replace(/^.* is /, ''))).toEqual([
    'not verified',
    'now verified',
    'not verified',
  ])
  expect(notifications[0]?.body).toContain('Which company is this?')
})

it('an app can be approved or verified only in the version that the page showed', async () => {
  const { client } = await makeClient(undefined, { source: 'DYNAMIC' })
  await prisma().oAuthClient.update({ where: { id: client.id }, data: { awaitingApproval: true } })
  const decisions: [string, (version?: string) => Promise<void>][] = [
    [client.id, (version) => approveApp(instanceAdmin, client.id, { version })],
    [appId, (version) => decideVerification(instanceAdmin, appId, { decision: 'verify', version })],
  ]
  for (const [id, decide] of decisions) {
    const { version: shown } = await getOperatedApp(instanceAdmin, id)
    const change = { name: 'Your bank', redirectUris: ['https://evil.example/cb'], version: { increment: 1 } }
    await prisma().oAuthClient.update({ where: { id }, data: change })
    await expect(decide(String(shown))).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(decide()).rejects.toMatchObject({ code: 'CONFLICT' })
    const { awaitingApproval, verifiedAt, version } = await getOperatedApp(instanceAdmin, id)
    expect([awaitingApproval, verifiedAt]).toEqual([id === client.id, null])
    await decide(String(version))
  }
  expect((await getOperatedApp(instanceAdmin, client.id)).awaitingApproval).toBe(false)
  expect((await getOperatedApp(instanceAdmin, appId)).verifiedAt).not.toBeNull()
})

it('an app is shown with its admins and the scopes that users authorized', async () => {
  const user = await makeUser()
  const { client } = await makeAccessToken(user, ['openid', 'email'])
  expect((await getOperatedApp(instanceAdmin, client.id)).scopes).toEqual([
    { scope: 'email', users: 1 },
    { scope: 'openid', users: 1 },
  ])
  const { admins, moreAdmins } = await getOperatedApp(instanceAdmin, appId)
  expect(admins.map(({ id }) => id)).toEqual([admin.id])
  expect(moreAdmins).toBe(false)
})

it('an app is shown with the time of its latest use for any user or workspace', async () => {
  const lastUsedAt = async () => (await getOperatedApp(instanceAdmin, appId)).lastUsedAt
  expect(await lastUsedAt()).toBeNull()
  const [first, second, third] = [new Date('2026-01-01'), new Date('2026-01-02'), new Date('2026-01-03')]
  const { id: workspaceId } = await makeWorkspace()
  const app = { workspaceId, clientId: appId, scopes: ['workspace:viewer'] }
  const { id } = await prisma().installation.create({ data: { ...app, lastUsedAt: first } })
  expect(await lastUsedAt()).toEqual(first)
  await prisma().managedApp.create({ data: { ...app, lastUsedAt: second } })
  expect(await lastUsedAt()).toEqual(second)
  const user = { userId: admin.id, clientId: appId, scopes: ['openid'] }
  await prisma().authorization.create({ data: { ...user, lastUsedAt: first } })
  expect(await lastUsedAt()).toEqual(second)
  await prisma().installation.update({ where: { id }, data: { lastUsedAt: third } })
  expect(await lastUsedAt()).toEqual(third)
})

it('only instance admins can verify apps, and only apps that belong to a workspace can be verified', async () => {
  const formerAdmin = { ...instanceAdmin, instanceAdmin: false }
  await expect(getOperatedApp(formerAdmin, appId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const verify = { decision: 'verify' }
  await expect(decideVerification(formerAdmin, appId, verify)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(getOperatedApp(instanceAdmin, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(decide('perhaps')).rejects.toMatchObject({ details: { field: 'decision' } })
  const { client } = await makeClient(undefined, { source: 'DYNAMIC' })
  await expect(decideVerification(instanceAdmin, client.id, verify)).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})
