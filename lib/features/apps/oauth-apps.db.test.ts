import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { parseTextPage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { signUp } from '@/lib/features/identity/users/sign-up'
import type { Actor } from '@/lib/policy/actor'
import { fillWithApps } from '@/lib/testing/factories'
import { createApp, maxApps } from './create-app'
import { getApp, pageApps, searchApps } from './read-apps'
import { addSecret, revokeSecret } from './secrets'
import { deleteApp, editableApp, updateApp } from './update-app'

async function newUser(name: string) {
  const user = { name, email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const { userId } = await signUp({}, user)
  const workspace = await prisma().workspace.findUniqueOrThrow({ where: { personalOwnerId: userId } })
  const actor: Actor = { kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false }
  return { userId, actor, workspaceId: workspace.id }
}

type User = Awaited<ReturnType<typeof newUser>>
let ada: User
const page = { number: 1, size: 25 }
const web = (more: object = {}) => ({
  workspaceId: ada.workspaceId,
  name: 'Deployer',
  type: 'WEB',
  redirectUris: 'https://deployer.example/cb\r\n\n  http://localhost:3000/cb  \nhttps://deployer.example/cb',
  ...more,
})

beforeAll(async () => {
  ada = await newUser('Ada')
})

describe('createApp', () => {
  it('gives a web app one secret, stores only its hash, and removes duplicate redirect URIs', async () => {
    const { app, secret = '' } = await createApp(ada.actor, web())
    expect(app.id).toMatch(/^lk_app_[0-9A-Za-z]{22}$/)
    expect(app.redirectUris).toEqual(['https://deployer.example/cb', 'http://localhost:3000/cb'])
    expect(credentialKind(secret)).toBe('clientSecret')
    const [stored, ...others] = await prisma().oAuthClientSecret.findMany({ where: { clientId: app.id } })
    expect(others).toEqual([])
    expect(Buffer.from(stored?.hash ?? [])).toEqual(hashCredential(secret))
    expect(JSON.stringify(await prisma().auditEvent.findMany())).not.toContain(secret)
  })

  it('rejects an app if the workspace has 500, and every existing app is in the list', async () => {
    const { actor, workspaceId } = await newUser('Mallory')
    await fillWithApps(workspaceId)
    await expect(createApp(actor, web({ workspaceId }))).rejects.toMatchObject({ code: 'CONFLICT' })
    const row = { name: 'AAA', type: 'WEB' as const, source: 'SETTINGS' as const, workspaceId }
    await prisma().oAuthClient.create({ data: { ...row, id: randomUUID() } })
    const listed = await pageApps(actor, workspaceId, parseTextPage({ first: 1 }))
    expect([await listed.count(), listed.rows[0]?.name]).toEqual([maxApps + 1, 'AAA'])
  })

  it('never gives a native app a secret', async () => {
    const native = web({ type: 'NATIVE', redirectUris: 'http://127.0.0.1/callback' })
    const { app, secret } = await createApp(ada.actor, native)
    expect(secret).toBeUndefined()
    await expect(addSecret(ada.actor, app.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'a\u202eb' }],
    ['type', { type: 'DESKTOP' }],
    ['redirectUris', { redirectUris: ' \n ' }],
    ['redirectUris', { redirectUris: 'http://deployer.example/cb' }],
    ['redirectUris', { type: 'NATIVE', redirectUris: 'http://localhost/cb' }],
    ['redirectUris', { redirectUris: Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`) }],
  ])('rejects an invalid %s: %j', async (field, more) => {
    await expect(createApp(ada.actor, web(more))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field },
    })
  })
})

describe('an app', () => {
  it('is updated only if its new name and new redirect URIs follow the rules', async () => {
    const { app } = await createApp(ada.actor, web())
    const changed = await updateApp(ada.actor, app.id, {
      name: 'Shipper',
      redirectUris: 'https://shipper.example/cb',
    })
    expect(changed).toMatchObject({
      name: 'Shipper',
      redirectUris: ['https://shipper.example/cb'],
      type: 'WEB',
    })
    const wrong = updateApp(ada.actor, app.id, { redirectUris: 'com.example.app:/cb' })
    await expect(wrong).rejects.toMatchObject({ details: { field: 'redirectUris' } })
    await prisma().oAuthClient.update({ where: { id: app.id }, data: { name: 'Latchkey CLI' } })
    expect((await updateApp(ada.actor, app.id, { name: 'Latchkey CLI' })).name).toBe('Latchkey CLI')
    await expect(updateApp(ada.actor, app.id, { name: 'Latchkey App' })).rejects.toMatchObject({
      details: { field: 'name' },
    })
    const lines = 'http://one.example/cb\nhttps://fine.example/cb\nhttps://two.example/<cb>'
    await expect(updateApp(ada.actor, app.id, { redirectUris: lines })).rejects.toMatchObject({
      details: { fields: { redirectUris: expect.stringMatching(/one\.example.*\n.*two\.example/) } },
    })
  })

  it('keeps its other metadata when its ID token algorithm changes', async () => {
    const { app } = await createApp(ada.actor, web())
    expect(editableApp(app).idTokenAlg).toBe('RS256')
    const chosen = await createApp(ada.actor, web({ idTokenAlg: 'EdDSA' }))
    expect(editableApp(chosen.app).idTokenAlg).toBe('EdDSA')
    await prisma().oAuthClient.update({
      where: { id: app.id },
      data: { metadata: { tos_uri: 'https://x.example' } },
    })
    const changed = await updateApp(ada.actor, app.id, { idTokenAlg: 'ES256' })
    expect(editableApp(changed).idTokenAlg).toBe('ES256')
    expect(changed.metadata).toMatchObject({ tos_uri: 'https://x.example' })
    const wrong = updateApp(ada.actor, app.id, { idTokenAlg: 'none' })
    await expect(wrong).rejects.toMatchObject({ details: { field: 'idTokenAlg' } })
  })

  it('can have several secrets, which can be revoked separately', async () => {
    const { app } = await createApp(ada.actor, web())
    const second = await addSecret(ada.actor, app.id)
    expect((await getApp(ada.actor, app.id)).secrets).toHaveLength(2)
    await revokeSecret(ada.actor, app.id, second.record.id)
    const { secrets } = await getApp(ada.actor, app.id)
    expect(secrets.map(({ id }) => id)).not.toContain(second.record.id)
    await expect(revokeSecret(ada.actor, app.id, second.record.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(JSON.stringify(secrets)).not.toContain('hash')
  })

  it('can have secrets with a name and an expiry in the future', async () => {
    const { app } = await createApp(ada.actor, web())
    const expiresAt = new Date(Date.now() + 86_400_000)
    const { record } = await addSecret(ada.actor, app.id, { name: ' Blue server ', expiresAt })
    expect(record).toMatchObject({ name: 'Blue server', expiresAt })
    const unnamed = await addSecret(ada.actor, app.id, { name: '', expiresAt: null })
    expect(unnamed.record).toMatchObject({ name: null, expiresAt: null })
    const past = addSecret(ada.actor, app.id, { expiresAt: new Date(Date.now() - 1_000) })
    await expect(past).rejects.toMatchObject({ details: { field: 'expiresAt' } })
    const { details } = await prisma().auditEvent.findFirstOrThrow({
      where: { resourceId: app.id, action: 'oauth_app.secret_added' },
    })
    expect(details).toMatchObject({ name: 'Blue server', expiresAt: expiresAt.toISOString() })
  })

  it('never has more than ten secrets, even after concurrent requests', async () => {
    const { app } = await createApp(ada.actor, web())
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => addSecret(ada.actor, app.id)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    expect((await getApp(ada.actor, app.id)).secrets).toHaveLength(10)
  })

  it('is deleted with its users’ authorizations', async () => {
    const { app } = await createApp(ada.actor, web())
    await prisma().authorization.create({
      data: { userId: ada.userId, clientId: app.id, scopes: ['openid'], workspaceIds: [], projectIds: [] },
    })
    expect((await getApp(ada.actor, app.id)).users).toBe(1)
    await deleteApp(ada.actor, app.id)
    expect(await prisma().authorization.count({ where: { clientId: app.id } })).toBe(0)
    expect((await searchApps(ada.actor, ada.workspaceId, '', page)).rows.map(({ id }) => id)).not.toContain(
      app.id,
    )
    const events = await prisma().auditEvent.findMany({
      where: { resourceId: app.id },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action }) => action)).toEqual(['oauth_app.created', 'oauth_app.deleted'])
  })
})

describe('the management of an app', () => {
  const attempts = (actor: Actor, appId: string) => [
    () => searchApps(actor, ada.workspaceId, '', page),
    () => createApp(actor, web()),
    () => getApp(actor, appId),
    () => updateApp(actor, appId, { name: 'Mine' }),
    () => addSecret(actor, appId),
    () => revokeSecret(actor, appId, randomUUID()),
    () => deleteApp(actor, appId),
  ]

  it.each(['MEMBER', 'VIEWER'] as const)('is forbidden for a workspace %s', async (role) => {
    const { app } = await createApp(ada.actor, web())
    const other = await newUser(role)
    await prisma().workspaceMember.create({
      data: { workspaceId: ada.workspaceId, userId: other.userId, role },
    })
    for (const attempt of attempts(other.actor, app.id)) {
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('returns NOT_FOUND to unrelated users', async () => {
    const { app } = await createApp(ada.actor, web())
    const eve = await newUser('Eve')
    for (const attempt of attempts(eve.actor, app.id)) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  it('is not available for a self-registered client', async () => {
    const id = `lk_app_${randomUUID()}`
    await prisma().oAuthClient.create({
      data: { id, source: 'DYNAMIC', type: 'NATIVE', name: 'Agent', redirectUris: [] },
    })
    await expect(getApp(ada.actor, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
