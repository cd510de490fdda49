import { createHmac, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { derivedKey } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { startSession } from '../sessions/start-session'
import { signUp } from '../users/sign-up'
import {
  beginTotp,
  cancelTotp,
  confirmTotp,
  pendingTotp,
  removeTotp,
  renewRecoveryCodes,
} from './enroll-totp'
import { beginSecondStep, findPendingSignIn } from './pending-sign-in'
import { twoFactorMethods } from './two-factor-methods'
import { verifyCode } from './verify-code'

const visitor = { ip: '192.0.2.1' }
const password = 'correct horse battery'
let actor: SessionActor

// Stop the clock, so that no time step ends during a test.
afterEach(() => {
  vi.useRealTimers()
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await prisma().rateLimit.deleteMany()
  const user = { name: 'Ada', email: `${randomUUID()}@example.com`, password }
  const { userId } = await signUp(visitor, user)
  const sessionId = await startSession(visitor, userId, ['pwd'])
  actor = { kind: 'session', userId, sessionId, instanceAdmin: false, ...visitor }
})

/** Returns a code of the authenticator app, `later` time steps ahead, because each code works only once. */
const codeOf = (secret: string, later = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * 30_000 })

async function enroll() {
  await beginTotp(actor, { password })
  const secret = (await pendingTotp(actor))?.secret ?? ''
  // Use the previous step's code, so that the current code is still unused for the sign-in.
  const { recoveryCodes } = await confirmTotp(actor, { code: codeOf(secret, -1) })
  return { secret, recoveryCodes }
}

const begin = () => beginSecondStep(actor.userId, ['pwd'])
const session = (id: string) => prisma().session.findUniqueOrThrow({ where: { id } })

describe('an authenticator app', () => {
  it('takes effect when its first code is confirmed, which upgrades the current session and ends the user’s other sessions', async () => {
    const other = await startSession(visitor, actor.userId, ['pwd'])
    await beginTotp(actor, { password })
    const uri = (await pendingTotp(actor))?.uri
    expect(uri).toMatch(/^otpauth:\/\/totp\/Latchkey:/)
    expect(await begin()).toBeUndefined()
    await expect(confirmTotp(actor, { code: '000000x' })).rejects.toMatchObject({
      details: { field: 'code' },
    })
    await cancelTotp(actor)
    const { recoveryCodes } = await enroll()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await twoFactorMethods(actor.userId)).toMatchObject({
      totp: true,
      recoveryCodes: 10,
      enrolled: true,
    })
    expect((await session(actor.sessionId)).methods).toEqual(['pwd', 'otp', 'mfa'])
    expect((await session(other)).revokedAt).not.toBeNull()
    expect(await pendingTotp(actor)).toBeUndefined()
    await expect(beginTotp(actor, { password })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is set up only once, even by concurrent requests or confirmations', async () => {
    await Promise.all([beginTotp(actor, { password }), beginTotp(actor, { password })])
    const code = codeOf((await pendingTotp(actor))?.secret ?? '')
    const answers = await Promise.allSettled([confirmTotp(actor, { code }), confirmTotp(actor, { code })])
    const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(shown.map(({ recoveryCodes }) => recoveryCodes.length)).toEqual([10])
    expect(await prisma().recoveryCode.count({ where: { userId: actor.userId } })).toBe(10)
  })

  it('is stored with an encrypted secret, and its recovery codes are not stored in plain text', async () => {
    const { secret, recoveryCodes } = await enroll()
    const row = await prisma().totpSecret.findUniqueOrThrow({ where: { userId: actor.userId } })
    expect(Buffer.from(row.sealed).toString('latin1')).not.toContain(secret)
    const codes = await prisma().recoveryCode.findMany({ where: { userId: actor.userId } })
    expect(JSON.stringify(codes)).not.toContain(recoveryCodes[0])
  })

  it('can be set up and removed only with the password, which new recovery codes also require', async () => {
    await expect(beginTotp(actor, { password: 'wrong' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await enroll()
    await expect(removeTotp(actor, { password: 'wrong' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await expect(renewRecoveryCodes(actor, { password: 'wrong' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await removeTotp(actor, { password })
    expect(await twoFactorMethods(actor.userId)).toMatchObject({ recoveryCodes: 0, enrolled: false })
    expect(await begin()).toBeUndefined()
  })

  it('cannot be removed while it is being set up, and no removal is recorded in the audit log', async () => {
    await beginTotp(actor, { password })
    await removeTotp(actor, { password })
    expect(await pendingTotp(actor)).toBeDefined()
    expect(
      await prisma().auditEvent.count({ where: { userId: actor.userId, action: 'two_factor.totp_removed' } }),
    ).toBe(0)
  })

  it('can be changed without the password for ten minutes after the session confirmed the password', async () => {
    await expect(beginTotp(actor, {})).rejects.toMatchObject({ details: { field: 'password' } })
    await enroll()
    expect(await renewRecoveryCodes(actor, {})).toHaveLength(10)
    const sessionId = await startSession(visitor, actor.userId, ['pwd'])
    await expect(renewRecoveryCodes({ ...actor, sessionId }, {})).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await prisma().session.update({
      where: { id: actor.sessionId },
      data: { confirmedAt: new Date(Date.now() - 10 * 60_000 - 1000) },
    })
    await expect(removeTotp(actor, {})).rejects.toMatchObject({ details: { field: 'password' } })
  })

  it('cannot be finished in another session, or later than 15 minutes after its setup began', async () => {
    const sessionId = await startSession(visitor, actor.userId, ['pwd'])
    const { secret } = await beginTotp(actor, { password })
    const other = { ...actor, sessionId }
    expect(await pendingTotp(other)).toBeUndefined()
    await expect(confirmTotp(other, { code: codeOf(secret) })).rejects.toMatchObject({ code: 'CONFLICT' })
    const createdAt = new Date(Date.now() - 15 * 60_000 - 1000)
    await prisma().totpSecret.update({ where: { userId: actor.userId }, data: { createdAt } })
    expect(await pendingTotp(actor)).toBeUndefined()
    await expect(confirmTotp(actor, { code: codeOf(secret) })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await twoFactorMethods(actor.userId)).enrolled).toBe(false)
  })

  it('can be set up by a user without a password only after a recent sign-in', async () => {
    await prisma().user.update({ where: { id: actor.userId }, data: { passwordHash: null } })
    await beginTotp(actor, {})
    await prisma().session.update({
      where: { id: actor.sessionId },
      data: { createdAt: new Date(Date.now() - 16 * 60 * 1000) },
    })
    await expect(beginTotp(actor, {})).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the second step', () => {
  it('completes a sign-in only once, even if the code is sent again', async () => {
    const { secret } = await enroll()
    const token = await begin()
    const code = codeOf(secret)
    expect(await verifyCode(visitor, token, { code })).toEqual({
      userId: actor.userId,
      passwordHash: expect.any(String),
      methods: ['pwd', 'otp', 'mfa'],
    })
    expect(await findPendingSignIn(token)).toBeUndefined()
    await expect(verifyCode(visitor, token, { code })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const replay = await begin()
    await expect(verifyCode(visitor, replay, { code })).rejects.toMatchObject({ details: { field: 'code' } })
  })

  it('accepts a code for only one of two concurrent sign-ins', async () => {
    const { secret } = await enroll()
    const code = codeOf(secret)
    const tokens = [await begin(), await begin()]
    const tries = await Promise.allSettled(tokens.map((token) => verifyCode(visitor, token, { code })))
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('accepts each recovery code once, in any notation and even after a wrong code, but not after the codes are renewed', async () => {
    const { recoveryCodes } = await enroll()
    const code = recoveryCodes[3] as string
    const token = await begin()
    await expect(verifyCode(visitor, token, { code: 'aaaaa-aaaaa-aaaaa' })).rejects.toMatchObject({
      details: { field: 'code' },
    })
    await verifyCode(visitor, token, {
      code: ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `,
    })
    expect((await twoFactorMethods(actor.userId)).recoveryCodes).toBe(9)
    await expect(verifyCode(visitor, await begin(), { code })).rejects.toMatchObject({
      details: { field: 'code' },
    })
    const renewed = await renewRecoveryCodes(actor, { password })
    await expect(verifyCode(visitor, await begin(), { code: recoveryCodes[4] })).rejects.toMatchObject({
      details: { field: 'code' },
    })
    await verifyCode(visitor, await begin(), { code: renewed[0] })
  })

  it('accepts older recovery codes of 75 bits, although new ones have 120 bits', async () => {
    const { recoveryCodes } = await enroll()
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/)
    const { userId } = actor
    const hash = createHmac('sha256', derivedKey('recovery-code'))
      .update(`${userId} 0123456789abcde`)
      .digest()
    await prisma().recoveryCode.create({ data: { userId, hash: Uint8Array.from(hash) } })
    await expect(verifyCode(visitor, await begin(), { code: '01234-56789-abcde' })).resolves.toMatchObject({
      userId,
    })
  })

  it('rejects another user’s recovery codes', async () => {
    const { recoveryCodes } = await enroll()
    const eve = await signUp(visitor, { name: 'Eve', email: `${randomUUID()}@example.com`, password })
    const sessionId = await startSession(visitor, eve.userId, ['pwd'])
    actor = { ...actor, userId: eve.userId, sessionId }
    await enroll()
    await expect(verifyCode(visitor, await begin(), { code: recoveryCodes[0] })).rejects.toMatchObject({
      details: { field: 'code' },
    })
  })

  it('limits guesses across all sign-ins and IP addresses', async () => {
    const { secret } = await enroll()
    for (let i = 0; i < 6; i++) {
      const tried = verifyCode({ ip: `192.0.2.${i}` }, await begin(), { code: `aa000${i}` })
      await expect(tried).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    }
    await expect(verifyCode(visitor, await begin(), { code: codeOf(secret) })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  it('fails after it expires, while the user is suspended, or with a forged cookie', async () => {
    await enroll()
    const token = await begin()
    await prisma().user.update({ where: { id: actor.userId }, data: { suspendedAt: new Date() } })
    expect(await findPendingSignIn(token)).toBeUndefined()
    await prisma().user.update({ where: { id: actor.userId }, data: { suspendedAt: null } })
    expect(await findPendingSignIn(token)).toMatchObject({ userId: actor.userId })
    await prisma().pendingSignIn.updateMany({ data: { expiresAt: new Date() } })
    for (const wrong of [token, `${token}x`, 'x', '', undefined]) {
      await expect(verifyCode(visitor, wrong, { code: '000000' })).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      })
    }
  })
})
