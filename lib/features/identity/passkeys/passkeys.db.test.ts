import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { SoftwareAuthenticator } from '@/lib/testing/software-authenticator'
import { startSession } from '../sessions/start-session'
import { beginSecondStep } from '../two-factor/pending-sign-in'
import { twoFactorMethods } from '../two-factor/two-factor-methods'
import { signUp } from '../users/sign-up'
import { canUsePasskeys } from './challenges'
import { listPasskeys, removePasskey, renamePasskey } from './manage-passkeys'
import { passkeyCreationOptions, registerPasskey } from './register-passkey'
import {
  passkeyRequestOptions,
  secondStepOptions,
  signInWithPasskey,
  verifyPasskeyStep,
} from './sign-in-with-passkey'

const origin = 'https://login.example.com'
const visitor = { ip: '192.0.2.1' }
const password = 'correct horse battery'
let actor: SessionActor
let device: SoftwareAuthenticator

async function newUser(): Promise<SessionActor> {
  const user = { name: 'Ada', email: `${randomUUID()}@example.com`, password }
  const { userId } = await signUp(visitor, user)
  const sessionId = await startSession(visitor, userId, ['pwd'])
  return { kind: 'session', userId, sessionId, instanceAdmin: false, ...visitor }
}

beforeEach(async () => {
  vi.stubEnv('BASE_URL', origin)
  resetConfig()
  await prisma().rateLimit.deleteMany()
  actor = await newUser()
  device = new SoftwareAuthenticator(origin)
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

async function register(name = 'Laptop') {
  const options = await passkeyCreationOptions(actor, { password })
  return registerPasskey(actor, { name, response: device.register(options) })
}

describe('the registration of a passkey', () => {
  it('stores the name, upgrades the session, ends other sessions, and returns recovery codes only for the first passkey', async () => {
    const other = await startSession(visitor, actor.userId, ['pwd'])
    expect((await register()).recoveryCodes).toHaveLength(10)
    expect(await listPasskeys(actor)).toMatchObject([{ name: 'Laptop', lastUsedAt: null }])
    expect(await twoFactorMethods(actor.userId)).toMatchObject({ passkeys: 1, enrolled: true })
    const sessions = await prisma().session.findMany({ where: { userId: actor.userId } })
    expect(sessions.find(({ id }) => id === actor.sessionId)?.methods).toEqual(['pwd', 'hwk', 'mfa'])
    expect(sessions.find(({ id }) => id === other)?.revokedAt).not.toBeNull()
    device = new SoftwareAuthenticator(origin)
    expect((await register('Phone')).recoveryCodes).toEqual([])
  })

  it('requires the password and a response to the user’s own challenge, and accepts a response only once', async () => {
    await expect(passkeyCreationOptions(actor, { password: 'wrong' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    const options = await passkeyCreationOptions(actor, { password })
    const response = device.register(options)
    const eve = await newUser()
    await expect(registerPasskey(eve, { name: 'x', response })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    await registerPasskey(actor, { name: 'x', response })
    await expect(registerPasskey(actor, { name: 'x', response })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it.each([
    ['another site', { origin: 'https://login.example.org' }],
    ['a device that was not unlocked', { userVerified: false }],
  ])('rejects a response from %s', async (_, behavior) => {
    const options = await passkeyCreationOptions(actor, { password })
    const answer = registerPasskey(actor, { name: 'x', response: device.register(options, behavior) })
    await expect(answer).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('rejects a malformed response', async () => {
    for (const response of [
      '',
      'x',
      '{}',
      '[]',
      'null',
      '{"id":"x","rawId":"x","type":"public-key","response":{}}',
    ]) {
      await expect(registerPasskey(actor, { name: 'x', response })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    }
  })
})

describe('a sign-in with only a passkey', () => {
  it('identifies the user without an email address, and accepts a response only once', async () => {
    await register()
    const response = device.sign(await passkeyRequestOptions(visitor))
    expect(await signInWithPasskey(visitor, { response })).toEqual({
      userId: actor.userId,
      passwordHash: expect.any(String),
      methods: ['hwk', 'mfa'],
    })
    expect((await listPasskeys(actor))[0]?.lastUsedAt).toBeInstanceOf(Date)
    await expect(signInWithPasskey(visitor, { response })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it.each([
    ['from another site', { origin: 'https://login.example.org' }],
    ['from a device that was not unlocked', { userVerified: false }],
  ])('rejects a response %s', async (_, behavior) => {
    await register()
    const response = device.sign(await passkeyRequestOptions(visitor), behavior)
    await expect(signInWithPasskey(visitor, { response })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('rejects an unknown passkey, a suspended user’s passkey, and a signature counter that does not increase', async () => {
    const stranger = new SoftwareAuthenticator(origin)
    const unknown = stranger.sign(await passkeyRequestOptions(visitor))
    await expect(signInWithPasskey(visitor, { response: unknown })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await register()
    const use = async (counter: number) =>
      signInWithPasskey(visitor, { response: device.sign(await passkeyRequestOptions(visitor), { counter }) })
    await use(5)
    await expect(use(5)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await use(6)
    await prisma().user.update({ where: { id: actor.userId }, data: { suspendedAt: new Date() } })
    await expect(use(7)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('rejects a response to a challenge that has expired or is for another purpose', async () => {
    await register()
    const options = await passkeyRequestOptions(visitor)
    await prisma().webauthnChallenge.updateMany({ data: { expiresAt: new Date() } })
    await expect(signInWithPasskey(visitor, { response: device.sign(options) })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    const step = await secondStepOptions(await beginSecondStep(actor.userId, ['pwd']))
    await expect(signInWithPasskey(visitor, { response: device.sign(step) })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })
})

describe('a passkey as the second step', () => {
  it('completes the sign-in that requested it', async () => {
    await register()
    const token = await beginSecondStep(actor.userId, ['pwd'])
    const options = await secondStepOptions(token)
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([device.id.toString('base64url')])
    const response = device.sign(options, { userVerified: false })
    expect(await verifyPasskeyStep(token, { response })).toEqual({
      userId: actor.userId,
      passwordHash: expect.any(String),
      methods: ['pwd', 'hwk', 'mfa'],
    })
  })

  it('must belong to the user who is signing in', async () => {
    await register()
    const ada = actor
    const adasDevice = device
    actor = await newUser()
    device = new SoftwareAuthenticator(origin)
    await register()
    const token = await beginSecondStep(ada.userId, ['pwd'])
    const options = await secondStepOptions(token)
    const eves = device.sign(options, { userVerified: true })
    await expect(verifyPasskeyStep(token, { response: eves })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await verifyPasskeyStep(token, { response: adasDevice.sign(await secondStepOptions(token)) })
  })
})

describe('a user’s passkeys', () => {
  it('can be renamed and removed only by that user, and removal requires the password', async () => {
    await register()
    const id = device.id.toString('base64url')
    const eve = await newUser()
    await expect(renamePasskey(eve, id, { name: 'Mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(removePasskey(eve, id, { password })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(renamePasskey(actor, id, { name: ' ' })).rejects.toMatchObject({
      details: { field: 'name' },
    })
    await renamePasskey(actor, id, { name: 'Work laptop' })
    await renamePasskey(actor, id, { name: 'Work laptop' })
    expect((await listPasskeys(actor))[0]?.name).toBe('Work laptop')
    expect(
      await prisma().auditEvent.findMany({
        where: { userId: actor.userId, action: 'two_factor.passkey_renamed' },
      }),
    ).toMatchObject([{ resourceId: id, details: { name: 'Work laptop', before: 'Laptop' } }])
    await expect(removePasskey(actor, id, { password: 'wrong' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await removePasskey(actor, id, { password })
    expect(await twoFactorMethods(actor.userId)).toMatchObject({ enrolled: false, recoveryCodes: 0 })
  })
})

it.each([
  ['https://login.example.com', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', false],
  ['https://192.0.2.1', false],
  ['http://login.example.com', false],
])('canUsePasskeys for the base URL %s returns %s', (base, offered) => {
  vi.stubEnv('BASE_URL', base)
  resetConfig()
  expect(canUsePasskeys()).toBe(offered)
})
