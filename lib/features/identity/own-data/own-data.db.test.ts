import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import type { SessionActor } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { makeAccessToken } from '@/lib/testing/access-token'
import {
  joinWorkspace,
  makeApiToken,
  makeClient,
  makeUser,
  makeWorkspace,
  testPassword,
} from '@/lib/testing/factories'
import { lockWaits } from '@/lib/testing/lock-waits'
import { deleteAccount, fieldOf, workspacesWithoutOtherAdmin } from '../delete-account'
import { exportOwnData } from '../export-own-data'
import { findLiveSession } from '../sessions/find-live-session'
import { startSession } from '../sessions/start-session'

type User = Awaited<ReturnType<typeof makeUser>>

let ada: User
let actor: SessionActor
beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  await prisma().rateLimit.deleteMany()
  await prisma().user.updateMany({ data: { instanceAdmin: false } })
  ada = await makeUser()
  actor = await actorOf(ada)
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

async function actorOf({ id }: { id: string }, instanceAdmin = false): Promise<SessionActor> {
  return { kind: 'session', userId: id, sessionId: await startSession({}, id, ['pwd']), instanceAdmin }
}

const isThere = async ({ id }: { id: string }) => (await prisma().user.count({ where: { id } })) === 1
const remove = (by = actor, user = ada, more: Record<string, string> = {}) =>
  deleteAccount(by, { confirm: user.email, password: testPassword, ...more })

describe('the deletion of an account', () => {
  it('revokes the user’s session and tokens, and notifies the user by email', async () => {
    const { token } = await makeApiToken(ada)
    const { token: accessToken, artifact } = await makeAccessToken(ada, ['openid'])
    await remove(actor, ada, { confirm: ` ${ada.email.toUpperCase()}` })
    expect(await isThere(ada)).toBe(false)
    expect(await findLiveSession(actor.sessionId)).toBeUndefined()
    expect([await callerFromBearer(token), await callerFromBearer(accessToken)]).toEqual([
      undefined,
      undefined,
    ])
    expect(await prisma().oAuthArtifact.count({ where: { hash: artifact.hash } })).toBe(0)
    await settleBackgroundWork()
    expect((await readMailbox(ada.email))[0]?.subject).toContain('was deleted')
    const events = { userId: ada.id, action: 'user.deleted' }
    expect(await prisma().auditEvent.count({ where: events })).toBe(1)
  })

  it.each([
    [{ password: 'guessed' }, 'password'],
    [{ password: '' }, 'password'],
    [{ confirm: '' }, 'confirm'],
    [{ confirm: 'wrong@example.test' }, 'confirm'],
  ])('requires the correct password and email address, so %j is rejected', async (more, field) => {
    await expect(remove(actor, ada, more)).rejects.toMatchObject({ details: { field } })
    expect(await isThere(ada)).toBe(true)
  })

  it('requires a new admin or a confirmed deletion for each workspace without another active admin', async () => {
    const [heir, suspended] = [await makeUser(), await makeUser({ suspendedAt: new Date() })]
    const kept = await makeWorkspace([
      [ada, 'ADMIN'],
      [heir, 'VIEWER'],
      [suspended, 'ADMIN'],
    ])
    const gone = await makeWorkspace([[ada, 'ADMIN']])
    const shared = await makeWorkspace([
      [ada, 'ADMIN'],
      [heir, 'ADMIN'],
    ])
    const { client } = await makeClient(gone)
    expect(
      (await workspacesWithoutOtherAdmin(actor)).map(({ id, heirs }) => [id, heirs.map((each) => each.id)]),
    ).toEqual(
      [kept, gone]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ id }) => [id, id === kept.id ? [heir.id] : []]),
    )
    await expect(remove()).rejects.toMatchObject({
      details: { fields: { [fieldOf(kept.id)]: expect.anything(), alone: expect.anything() } },
    })
    // `alone` never deletes a workspace that has other members.
    const said = { alone: `${gone.id}\n${kept.id}`, [fieldOf(kept.id)]: heir.id }
    await expect(remove(actor, ada, { ...said, [fieldOf(kept.id)]: '' })).rejects.toMatchObject({
      details: { field: fieldOf(kept.id) },
    })
    for (const wrong of [suspended.id, ada.id, (await makeUser()).id, 'x', ''])
      await expect(remove(actor, ada, { ...said, [fieldOf(kept.id)]: wrong })).rejects.toMatchObject({
        details: { field: fieldOf(kept.id) },
      })
    expect(await prisma().workspace.count({ where: { id: gone.id } })).toBe(1)

    await remove(actor, ada, { ...said, [fieldOf(shared.id)]: 'delete' })
    expect(await prisma().workspace.count({ where: { id: { in: [gone.id, kept.id, shared.id] } } })).toBe(2)
    expect(await prisma().oAuthClient.count({ where: { id: client.id } })).toBe(0)
    const members = await prisma().workspaceMember.findMany({
      where: { workspaceId: kept.id, userId: heir.id },
    })
    expect(members).toMatchObject([{ role: 'ADMIN' }])
    const log = await prisma().auditEvent.findMany({
      where: { workspaceId: { in: [kept.id, shared.id] } },
      select: { action: true, resourceId: true },
      orderBy: { action: 'asc' },
    })
    expect(log).toEqual([
      { action: 'member.left', resourceId: ada.id },
      { action: 'member.left', resourceId: ada.id },
      { action: 'member.role_changed', resourceId: heir.id },
    ])
  })

  it('succeeds for only one of a workspace’s last two admins if both delete their accounts at the same moment', async () => {
    const other = await makeUser()
    const workspace = await makeWorkspace([
      [ada, 'ADMIN'],
      [other, 'ADMIN'],
    ])
    const gone = await Promise.allSettled([remove(), remove(await actorOf(other), other)])
    expect(gone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await prisma().workspaceMember.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })

  it('succeeds for only one of the last two instance admins if both delete their accounts at the same moment', async () => {
    const other = await makeUser({ instanceAdmin: true })
    await prisma().user.update({ where: { id: ada.id }, data: { instanceAdmin: true } })
    const gone = await Promise.allSettled([
      remove(await actorOf(ada, true)),
      remove(await actorOf(other, true), other),
    ])
    expect(gone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = (await isThere(ada)) ? ada : other
    await expect(remove(await actorOf(left, true), left)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('locks the instance admins before the user, so that it cannot deadlock with a change of an instance admin', async () => {
    const first = await makeUser({ instanceAdmin: true })
    const last = await makeUser({ instanceAdmin: true })
    const lastActor = await actorOf(last, true)
    const other = await pool().connect()
    try {
      await other.query('BEGIN')
      await other.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [first.id])
      const gone = remove(lastActor, last)
      await expect.poll(() => lockWaits('users'), { timeout: 15_000 }).toBe(1)
      await other.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [last.id])
      await other.query('COMMIT')
      await gone
    } finally {
      other.release(true)
    }
    expect(await isThere(last)).toBe(false)
  })

  it('does not affect other users', async () => {
    const other = await makeUser()
    await joinWorkspace(await makeWorkspace([[other, 'ADMIN']]), ada, 'MEMBER')
    const { token } = await makeApiToken(other)
    await remove()
    expect(await isThere(other)).toBe(true)
    expect(await callerFromBearer(token)).toBeDefined()
  })
})

describe('the download of a user’s data', () => {
  const download = async (who = actor) => {
    let text = ''
    for await (const piece of exportOwnData(who).text) text += piece
    return { text, data: JSON.parse(text) }
  }

  it('contains all data about the user, even a large amount, and no data about other users', async () => {
    const other = await makeUser()
    const workspace = await makeWorkspace([
      [ada, 'ADMIN'],
      [other, 'MEMBER'],
    ])
    await makeApiToken(other)
    await makeApiToken(ada, { workspace })
    const { client } = await makeAccessToken(ada, ['openid'], { workspaces: [workspace] })
    const { id: managedAppId } = await prisma().managedApp.create({
      data: { workspaceId: workspace.id, clientId: client.id, scopes: ['workspace:viewer'] },
    })
    for (const userId of [ada.id, other.id]) {
      await prisma().managedUse.create({ data: { managedAppId, userId, lastUsedAt: new Date() } })
    }
    const events = Array.from({ length: 1_234 }, (_, at) => ({
      userId: ada.id,
      actorKind: 'session',
      action: 'project.created',
      resourceType: 'project',
      resourceId: String(at),
    }))
    await prisma().auditEvent.createMany({ data: events })
    const { text, data } = await download()
    expect(data.account).toMatchObject({ id: ada.id, email: ada.email, name: ada.name })
    expect(
      data.whatYouDid.filter((event: { action: string }) => event.action === 'project.created'),
    ).toHaveLength(1_234)
    expect(new Set(data.whatYouDid.map(({ id }: { id: string }) => id)).size).toBe(data.whatYouDid.length)
    expect([data.apiTokens.length, data.authorizedApps.length, data.workspaces.length]).toEqual([1, 1, 1])
    expect(data.ssoManagedApps).toMatchObject([{ managedApp: { client: { id: client.id } } }])
    expect(text).not.toContain(other.email)
    expect(text).not.toContain(other.id)
  })

  it('contains no credentials', async () => {
    const { token } = await makeApiToken(ada)
    const { token: accessToken } = await makeAccessToken(ada, ['openid'])
    await prisma().totpSecret.create({
      data: { userId: ada.id, sealed: Buffer.from('sealed-seed'), confirmedAt: new Date() },
    })
    await prisma().passkey.create({
      data: { id: randomUUID(), userId: ada.id, name: 'Key', publicKey: Buffer.from('a-public-key') },
    })
    const { text } = await download()
    for (const secret of [token, accessToken, 'sealed-seed', String(ada.passwordHash)])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/"\w*(hash|sealed|secret|lastFour|counter)\w*":/i)
  })

  it('is audited and rate-limited', async () => {
    for (let at = 0; at < 10; at++) await download()
    await expect(download()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const events = { userId: ada.id, action: 'user.data_exported' }
    expect(await prisma().auditEvent.count({ where: events })).toBe(10)
  })
})
