import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { seal } from '@/lib/base/credentials/seal'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { createApiToken } from '@/lib/features/api-tokens/create-api-token'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import type { SessionActor } from '@/lib/policy/actor'
import { lockUser } from '@/lib/policy/lock-role'
import { raceForLock } from '@/lib/testing/concurrency'
import { makeClient } from '@/lib/testing/factories'
import { findEmailToken } from '../email/email-tokens'
import { connectIdentity } from '../identities'
import { startSession } from '../sessions/start-session'
import { addSshKey } from '../ssh-keys'
import { beginSecondStep, findPendingSignIn } from '../two-factor/pending-sign-in'
import { raiseSession } from '../two-factor/two-factor-methods'
import { requestPasswordReset } from './request-password-reset'
import { resetPassword } from './reset-password'
import { signIn } from './sign-in'
import { signUp } from './sign-up'

const visitor = { ip: '192.0.2.1' }
const oldPassword = 'correct horse battery'
const newPassword = 'a completely new one'
let email: string
let userId: string

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  await prisma().rateLimit.deleteMany()
  email = `${randomUUID()}@example.com`
  userId = (await signUp(visitor, { name: 'Ada', email, password: oldPassword })).userId
  await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } })
  await settleBackgroundWork()
  await prisma().outboxMail.deleteMany()
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

async function mailedToken(address = email): Promise<string> {
  await requestPasswordReset(visitor, { email: address })
  await settleBackgroundWork()
  const [mail] = await readMailbox(address)
  return /\/reset-password\?token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** Generates an SSH public key (RFC 8709). */
function sshKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x, 'base64url')].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return [length, part]
  })
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`
}

describe('a password reset link', () => {
  it('sets the password, ends the user’s session, and notifies the user', async () => {
    const sid = await startSession(visitor, userId, ['pwd'])
    const token = await mailedToken(email.toUpperCase())
    expect(await findEmailToken('RESET_PASSWORD', token)).toMatchObject({ email })
    expect(await resetPassword(visitor, { token, password: newPassword })).toEqual({ cleared: false })
    expect(await prisma().session.findUnique({ where: { id: sid } })).toMatchObject({
      revokedAt: expect.any(Date),
    })
    expect(await signIn(visitor, { email, password: newPassword })).toMatchObject({ userId })
    await expect(signIn(visitor, { email, password: oldPassword })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await settleBackgroundWork()
    expect((await readMailbox(email))[0]?.subject).toContain('was changed')
    expect(await prisma().auditEvent.count({ where: { userId, action: 'user.password_reset' } })).toBe(1)
  })

  it('lets the user sign in immediately, even if someone else used up the sign-in attempts', async () => {
    for (let i = 0; i < 11; i++) await signIn({}, { email, password: 'wrong' }).catch(() => undefined)
    await expect(signIn({}, { email, password: oldPassword })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await resetPassword(visitor, { token: await mailedToken(), password: newPassword })
    await expect(signIn({}, { email, password: newPassword })).resolves.toHaveProperty('userId')
  })

  it('works only once, even for two requests at the same moment', async () => {
    const token = await mailedToken()
    const tries = await Promise.allSettled([
      resetPassword(visitor, { token, password: newPassword }),
      resetPassword(visitor, { token, password: `${newPassword} too` }),
    ])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(resetPassword(visitor, { token, password: newPassword })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('stays usable after a new password is rejected as too short or easily guessed', async () => {
    const token = await mailedToken()
    for (const password of ['short', 'qwertyuiop', email]) {
      await expect(resetPassword(visitor, { token, password })).rejects.toMatchObject({
        details: { field: 'password' },
      })
    }
    await resetPassword(visitor, { token, password: newPassword })
  })

  it('is checked before the password’s strength, which takes CPU time to evaluate', async () => {
    const token = mintCredential('emailToken')
    await expect(resetPassword(visitor, { token, password: 'qwertyuiop' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('expires after an hour, or when a newer one is sent', async () => {
    const first = await mailedToken()
    const second = await mailedToken()
    await expect(resetPassword(visitor, { token: first, password: newPassword })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const { createdAt, expiresAt } = await prisma().emailToken.findFirstOrThrow({
      where: { userId, purpose: 'RESET_PASSWORD' },
    })
    expect(expiresAt.getTime() - createdAt.getTime()).toBeGreaterThan(3_590_000)
    expect(expiresAt.getTime() - createdAt.getTime()).toBeLessThan(3_610_000)
    await prisma().emailToken.updateMany({ data: { expiresAt: new Date() } })
    await expect(resetPassword(visitor, { token: second, password: newPassword })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await findEmailToken('RESET_PASSWORD', second)).toBeUndefined()
  })

  it('is stored only as a hash, is rejected if it was altered, and cannot be used to verify an email address', async () => {
    const token = await mailedToken()
    const stored = await prisma().emailToken.findMany({ where: { userId } })
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await findEmailToken('VERIFY_EMAIL', token)).toBeUndefined()
    for (const wrong of ['', 'x', token.slice(0, -1), `${token}x`]) {
      await expect(resetPassword(visitor, { token: wrong, password: newPassword })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    }
  })

  it('does not disable two-factor authentication, because a mailbox alone must not give access to the account', async () => {
    const sealed = new Uint8Array(seal('a secret', 'totp'))
    await prisma().totpSecret.create({ data: { userId, sealed, confirmedAt: new Date(), lastStep: 0 } })
    const begun = await beginSecondStep(userId, ['pwd'])
    await resetPassword(visitor, { token: await mailedToken(), password: newPassword })
    expect(await prisma().session.count({ where: { userId, revokedAt: null } })).toBe(0)
    expect(await findPendingSignIn(begun)).toBeUndefined()
    expect(await beginSecondStep(userId, ['pwd'])).toBeTruthy()
  })

  it('disconnects identity providers if the email address was never verified', async () => {
    await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: null } })
    await prisma().identity.create({ data: { provider: 'github', subject: randomUUID(), userId } })
    const token = await mailedToken()
    expect(await resetPassword(visitor, { token, password: newPassword })).toEqual({ cleared: true })
    expect(await prisma().identity.count({ where: { userId } })).toBe(0)
    const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } })
    expect(user.emailVerifiedAt).not.toBeNull()
  })
})

describe('a request for a password reset', () => {
  it.each<[string, (actor: SessionActor) => Promise<unknown>]>([
    ['an API token', (actor) => createApiToken(actor, { name: 'Backdoor' })],
    ['an SSH key', (actor) => addSshKey(actor, { name: 'Backdoor', publicKey: sshKey() })],
    ['a provider account', (actor) => connectIdentity(actor, { provider: 'github', subject: randomUUID() })],
    [
      'an authorized app',
      async (actor) => {
        const { client } = await makeClient(undefined)
        return saveAuthorization(actor, { clientId: client.id, scopes: ['openid'] })
      },
    ],
    [
      'a two-factor method',
      (actor) =>
        prisma().$transaction(async (tx) => {
          await lockUser(tx, userId)
          await raiseSession(tx, actor, 'hwk')
        }),
    ],
  ])(
    'leaves nothing behind if a request in an earlier session adds %s at the same time',
    async (_what, add) => {
      const credentials = async () => {
        const [tokens, keys, identities, authorizations] = await Promise.all([
          prisma().apiToken.count({ where: { userId } }),
          prisma().sshPublicKey.count({ where: { userId } }),
          prisma().identity.count({ where: { userId } }),
          prisma().authorization.count({ where: { userId } }),
        ])
        return tokens + keys + identities + authorizations
      }
      for (const addedFirst of [true, false]) {
        await prisma().user.update({ where: { id: userId }, data: { emailVerifiedAt: null } })
        const sessionId = await startSession(visitor, userId, ['pwd'])
        const actor = { kind: 'session', userId, sessionId, instanceAdmin: false } as const
        const token = await mailedToken()
        const reset = () => resetPassword(visitor, { token, password: newPassword })
        const adding = () => add(actor)
        const lock = 'SELECT FROM users WHERE id = $1 FOR UPDATE'
        const outcomes = addedFirst
          ? await raceForLock(lock, userId, adding, reset)
          : await raceForLock(lock, userId, reset, adding)
        expect(outcomes).toEqual(['ok', addedFirst ? 'ok' : 'UNAUTHENTICATED'])
        expect(await credentials()).toBe(0)
      }
    },
  )

  it('gets the same response for a known and an unknown email address', async () => {
    const unknown = `${randomUUID()}@example.com`
    expect(await requestPasswordReset(visitor, { email: unknown })).toBeUndefined()
    expect(await requestPasswordReset(visitor, { email })).toBeUndefined()
    await settleBackgroundWork()
    expect(await readMailbox(unknown)).toEqual([])
    expect(await readMailbox(email)).toHaveLength(1)
  })

  it('sends nothing to a suspended user', async () => {
    await prisma().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } })
    expect(await mailedToken()).toBe('')
  })

  it('succeeds even if no link is sent because four were sent within an hour', async () => {
    for (let i = 0; i < 6; i++) await requestPasswordReset({ ip: `192.0.2.${i}` }, { email })
    await settleBackgroundWork()
    expect(await readMailbox(email)).toHaveLength(4)
  })

  it('is limited per IP address', async () => {
    for (let i = 0; i < 10; i++) await requestPasswordReset(visitor, { email: `${i}@example.com` })
    await expect(requestPasswordReset(visitor, { email })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await requestPasswordReset({ ip: '192.0.2.99' }, { email })
    await settleBackgroundWork()
  })

  it('requires a valid email address', async () => {
    await expect(requestPasswordReset(visitor, { email: 'nobody' })).rejects.toMatchObject({
      details: { field: 'email' },
    })
  })
})
