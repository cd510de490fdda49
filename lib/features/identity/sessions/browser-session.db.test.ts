import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { encode } from 'next-auth/jwt'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { derivedKey, seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { signUp } from '../users/sign-up'
import { revokeOtherSessions, revokeSession } from './end-session'
import { sessionFromCookies } from './find-live-session'
import { searchSessions } from './list-sessions'
import { sessionCookie, sessionCookieName } from './session-cookie'
import { startSession } from './start-session'

let userId: string
let sid: string
let cookie: string

const cookieFor = async (sub: string, session: string) =>
  `other=1; ${(await sessionCookie({ sub, sid: session })).split(';', 1)[0]}`
const listed = async (actor: Actor) => (await searchSessions(actor, '', { number: 1, size: 25 })).rows
const read = (header = cookie) => sessionFromCookies(header, { ip: '192.0.2.1', userAgent: 'test' })

beforeAll(async () => {
  const user = { name: 'Ada', email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  userId = (await signUp({}, user)).userId
})

beforeEach(async () => {
  sid = await startSession({ ip: '192.0.2.1', userAgent: 'test' }, userId, ['pwd'])
  cookie = await cookieFor(userId, sid)
})

describe('sessionFromCookies', () => {
  it('returns the user, the session, and the time of the sign-in', async () => {
    const session = await read()
    expect(session?.actor).toEqual({
      kind: 'session',
      userId,
      sessionId: sid,
      instanceAdmin: false,
      twoFactor: false,
      ip: '192.0.2.1',
      userAgent: 'test',
    })
    const row = await prisma().session.findUniqueOrThrow({ where: { id: sid } })
    expect(session?.authTime).toEqual(row.createdAt)
    expect(session?.methods).toEqual(['pwd'])
  })

  it('accepts a session cookie that an earlier release created with next-auth', async () => {
    const secret = derivedKey('next-auth').toString('hex')
    const earlier = (token: { sub: string; sid: string }, key = secret) =>
      encode({ token, secret: key, maxAge: 3600 })
    const sent = async (value: Promise<string>) => read(`${sessionCookieName()}=${await value}`)
    expect((await sent(earlier({ sub: userId, sid })))?.actor).toMatchObject({ userId, sessionId: sid })
    expect(await sent(earlier({ sub: userId, sid }, 'another secret'))).toBeUndefined()
    expect(await sent(earlier({ sub: randomUUID(), sid }))).toBeUndefined()
    const key = new Uint8Array(hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32))
    const made = (alg: string) =>
      new EncryptJWT({ sub: userId, sid }).setProtectedHeader({ alg, enc: 'A256GCM' }).encrypt(key)
    expect((await sent(made('dir')))?.actor).toMatchObject({ sessionId: sid })
    expect(await sent(made('A256KW'))).toBeUndefined()
  })

  it('returns whether the session was started with two factors', async () => {
    const strong = await startSession({}, userId, ['pwd', 'otp', 'mfa'])
    const session = await read(await cookieFor(userId, strong))
    expect(session?.actor).toMatchObject({ sessionId: strong, twoFactor: true })
  })

  it('returns undefined for a revoked, expired, or deleted session', async () => {
    await prisma().session.update({ where: { id: sid }, data: { revokedAt: new Date() } })
    expect(await read()).toBeUndefined()
    await prisma().session.update({
      where: { id: sid },
      data: { revokedAt: null, expiresAt: new Date(Date.now() - 1000) },
    })
    expect(await read()).toBeUndefined()
    await prisma().session.delete({ where: { id: sid } })
    expect(await read()).toBeUndefined()
  })

  it('returns undefined for a suspended user', async () => {
    await prisma().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } })
    expect(await read()).toBeUndefined()
    await prisma().user.update({ where: { id: userId }, data: { suspendedAt: null } })
    expect(await read()).toBeDefined()
  })

  it('returns undefined for a cookie that was encrypted with another key, names another user, or is malformed', async () => {
    const forged = seal(JSON.stringify({ sub: userId, sid }), randomBytes(32)).toString('base64url')
    expect(await read(`${sessionCookieName()}=${forged}`)).toBeUndefined()
    expect(await read(await cookieFor(randomUUID(), sid))).toBeUndefined()
    expect(await read(await cookieFor(userId, "' or 1=1 --"))).toBeUndefined()
    expect(await read(`${sessionCookieName()}=rubbish`)).toBeUndefined()
    expect(await read('')).toBeUndefined()
  })
})

describe('a browser session', () => {
  const unused = (days: number) =>
    prisma().session.update({
      where: { id: sid },
      data: { lastUsedAt: new Date(Date.now() - days * 86_400_000) },
    })

  it('ends after a week without use and is no longer listed', async () => {
    await unused(6.9)
    const actor = (await read())?.actor
    if (!actor) throw new Error('signed out')
    await unused(7.1)
    expect(await read()).toBeUndefined()
    expect((await listed(actor)).map(({ id }) => id)).not.toContain(sid)
  })

  it('stays valid while it is used, up to its maximum lifetime', async () => {
    await unused(6.9)
    expect(await read()).toBeDefined()
    // This use restarts the idle period of a week.
    const { lastUsedAt } = await prisma().session.findUniqueOrThrow({ where: { id: sid } })
    expect(Date.now() - lastUsedAt.getTime()).toBeLessThan(60_000)
    await prisma().session.update({ where: { id: sid }, data: { expiresAt: new Date() } })
    expect(await read()).toBeUndefined()
  })

  it('ends after half of its maximum lifetime without use if that is less than a week', async () => {
    setChangedSettings({ sessionDays: '2' })
    await unused(0.9)
    expect(await read()).toBeDefined()
    await unused(1.1)
    expect(await read()).toBeUndefined()
    setChangedSettings({})
  })
})

describe('a user’s sessions', () => {
  it('no longer include the browser’s previous session after a new sign-in', async () => {
    const next = await startSession({}, userId, ['pwd'], { replaces: sid })
    expect(await read()).toBeUndefined()
    expect(await read(await cookieFor(userId, next))).toBeDefined()
  })

  it('are listed with the current session marked, and can be revoked one by one or all except the current session', async () => {
    const other = await startSession({}, userId, ['pwd'])
    const third = await startSession({}, userId, ['pwd'])
    const actor = (await read())?.actor
    if (!actor) throw new Error('signed out')
    const sessions = await listed(actor)
    expect(sessions.filter(({ current }) => current).map(({ id }) => id)).toEqual([sid])
    await revokeSession(actor, other)
    expect(await read(await cookieFor(userId, other))).toBeUndefined()
    await revokeOtherSessions(actor)
    expect(await read(await cookieFor(userId, third))).toBeUndefined()
    expect((await listed(actor)).map(({ id }) => id)).toEqual([sid])
  })

  it('cannot be revoked by other users', async () => {
    const user = { name: 'Eve', email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
    const eve = (await signUp({}, user)).userId
    const actor = { kind: 'session', userId: eve, sessionId: randomUUID(), instanceAdmin: false } as const
    await expect(revokeSession(actor, sid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await read()).toBeDefined()
  })
})
