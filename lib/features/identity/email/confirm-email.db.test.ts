import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config, resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { answerVerifyEmail } from '@/lib/edges/web/sign-in/answer-sign-in-forms'
import type { SessionActor } from '@/lib/policy/actor'
import { makeApiToken } from '@/lib/testing/factories'
import { findLiveSession } from '../sessions/find-live-session'
import { startSession } from '../sessions/start-session'
import { changeEmail } from '../users/change-email'
import { resetPassword } from '../users/reset-password'
import { signIn } from '../users/sign-in'
import { signInExternal } from '../users/sign-in-external'
import { signUp } from '../users/sign-up'
import { confirmEmail } from './confirm-email'
import { mintEmailToken } from './email-tokens'
import { sendVerification } from './send-verification'

const visitor = { ip: '192.0.2.1' }
const password = 'correct horse battery'
const newEmail = () => `${randomUUID()}@example.com`
let email: string
let actor: SessionActor

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  await prisma().rateLimit.deleteMany()
  email = newEmail()
  const { userId } = await signUp(visitor, { name: 'Ada', email, password })
  actor = { kind: 'session', userId, sessionId: randomUUID(), instanceAdmin: false, ...visitor }
  await settleBackgroundWork()
  await prisma().outboxMail.deleteMany()
})
afterEach(() => {
  setChangedSettings({})
  vi.unstubAllEnvs()
  resetConfig()
})

const user = () => prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })

async function tokenMailedTo(address: string): Promise<string> {
  await settleBackgroundWork()
  const [mail] = await readMailbox(address)
  return /\/verify-email\?token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function firstTokenOf(address: string): Promise<string> {
  await sendVerification(actor)
  return tokenMailedTo(address)
}

it('a verification link works only once and expires after a day', async () => {
  await sendVerification(actor)
  const token = await tokenMailedTo(email)
  const stored = await prisma().emailToken.findFirstOrThrow({ where: { userId: actor.userId } })
  const lifetime = stored.expiresAt.getTime() - stored.createdAt.getTime()
  expect(Math.round(lifetime / 3_600_000)).toBe(24)
  expect((await user()).emailVerifiedAt).toBeNull()
  expect(await confirmEmail(actor, token)).toEqual({ email })
  expect((await user()).emailVerifiedAt).toBeInstanceOf(Date)
  await expect(confirmEmail(actor, token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(sendVerification(actor)).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('a new user receives a verification link by email', async () => {
  const address = newEmail()
  const { userId } = await signUp(visitor, { name: 'Grace', email: address, password })
  const grace = { ...actor, userId }
  expect(await confirmEmail(grace, await tokenMailedTo(address))).toEqual({ email: address })
})

describe('an account that an attacker created with another user’s email address', () => {
  const fromGoogle = (address: string) =>
    signInExternal({
      provider: 'google',
      subject: address,
      email: address,
      emailVerified: true,
      name: 'Victim',
      avatarUrl: undefined,
    })

  it('is not verified when the owner of the mailbox opens the verification link', async () => {
    const link = new URLSearchParams({ token: await firstTokenOf(email) })
    const origin = config().BASE_URL
    const asNobody = await answerVerifyEmail(
      new Request(`${origin}/verify-email/submit`, { method: 'POST', headers: { origin }, body: link }),
    )
    expect(asNobody.headers.get('location')).toMatch(/^\/login\?next=%2Fverify-email%3Ftoken/)
    const victim = await signUp(visitor, { name: 'Victim', email: newEmail(), password })
    const other: SessionActor = { ...actor, userId: victim.userId }
    await expect(confirmEmail(other, link.get('token') ?? '')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await user()).emailVerifiedAt).toBeNull()
    // The link was not used up, so the account's own session can still use it.
    expect(await confirmEmail(actor, link.get('token') ?? '')).toEqual({ email })
  })

  it('is not connected to an identity provider when the owner of the mailbox signs in through it', async () => {
    await expect(fromGoogle(email)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await prisma().identity.count({ where: { userId: actor.userId } })).toBe(0)
  })

  it('belongs only to the owner of the mailbox after a password reset', async () => {
    const { userId } = actor
    const stranger = await startSession({}, userId, ['pwd'])
    await makeApiToken({ id: userId })
    await prisma().sshPublicKey.create({
      data: { userId, name: 'mine', publicKey: 'ssh-ed25519 AAAA', fingerprint: randomUUID() },
    })
    await changeEmail(actor, { email: newEmail(), password })
    const token = await prisma().$transaction((tx) =>
      mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId, email }),
    )
    await resetPassword(visitor, { token, password: 'the owner chose this one' })
    await expect(signIn(visitor, { email, password })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await findLiveSession(stranger)).toBeUndefined()
    expect(await prisma().apiToken.count({ where: { userId } })).toBe(0)
    expect(await prisma().sshPublicKey.count({ where: { userId } })).toBe(0)
    expect(await prisma().emailToken.count({ where: { userId } })).toBe(0)
    expect(await fromGoogle(email)).toMatchObject({ userId })
  })
})

it('an email address changes only after the new address is confirmed, and the old address is notified', async () => {
  const next = newEmail()
  await changeEmail(actor, { email: next.toUpperCase(), password })
  expect((await user()).email).toBe(email)
  const reset = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId: actor.userId, email }),
  )
  expect(reset).toBeTruthy()
  await confirmEmail(actor, await tokenMailedTo(next))
  expect(await user()).toMatchObject({ email: next, emailVerifiedAt: expect.any(Date) })
  expect(await prisma().emailToken.count({ where: { userId: actor.userId } })).toBe(0)
  await settleBackgroundWork()
  expect((await readMailbox(email))[0]?.text).toContain(next)
})

it('changing an email address to another domain disconnects SSO, but not other identity providers', async () => {
  const { userId } = actor
  const move = async (next: string) => {
    await changeEmail(actor, { email: next, password })
    await confirmEmail(actor, await tokenMailedTo(next))
  }
  const providers = async () =>
    (await prisma().identity.findMany({ where: { userId }, orderBy: { provider: 'asc' } })).map(
      ({ provider }) => provider,
    )
  const sso = `workspace:${randomUUID()}`
  for (const provider of [sso, 'github'])
    await prisma().identity.create({ data: { provider, subject: randomUUID(), userId } })
  await move(newEmail())
  expect(await providers()).toEqual(['github', sso])
  await move(`${randomUUID()}@elsewhere.example.test`)
  expect(await providers()).toEqual(['github'])
})

it('changing an email address requires the password and a new address that no account uses', async () => {
  const other = newEmail()
  await signUp(visitor, { name: 'Eve', email: other, password })
  await expect(changeEmail(actor, { email: newEmail(), password: 'wrong' })).rejects.toMatchObject({
    details: { field: 'password' },
  })
  await expect(changeEmail(actor, { email: other, password })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { field: 'email' },
  })
  await expect(changeEmail(actor, { email, password })).rejects.toMatchObject({
    details: { field: 'email' },
  })
})

it('changing an email address fails if another account takes the new address before the link is opened', async () => {
  const next = newEmail()
  await changeEmail(actor, { email: next, password })
  const token = await tokenMailedTo(next)
  await signUp(visitor, { name: 'Eve', email: next, password })
  await expect(confirmEmail(actor, token)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await user()).email).toBe(email)
})

it('a mailbox receives at most four verification emails an hour, regardless of how many users request them', async () => {
  const victim = newEmail()
  const flood = async ({ userId }: { userId: string }) => {
    for (let i = 0; i < 3; i++) await changeEmail({ ...actor, userId }, { email: victim, password })
  }
  await flood(actor)
  await flood(await signUp(visitor, { name: 'Eve', email: newEmail(), password }))
  await settleBackgroundWork()
  expect(await readMailbox(victim)).toHaveLength(4)
})

it('changing an email address reveals an existing account only in an email if sign-up does too', async () => {
  const [taken, free] = [newEmail(), newEmail()]
  await signUp(visitor, { name: 'Grace', email: taken, password })
  await settleBackgroundWork()
  await prisma().outboxMail.deleteMany()
  setChangedSettings({ signUpConfirm: 'first' })
  for (const address of [taken, free]) {
    expect(await changeEmail(actor, { email: address, password })).toEqual({ email: address })
  }
  await settleBackgroundWork()
  expect((await readMailbox(taken)).map(({ subject }) => subject)).toEqual([
    'You already have a Latchkey account',
  ])
  expect(await confirmEmail(actor, await tokenMailedTo(free))).toEqual({ email: free })
})

it('a user gets each verification email that they request, or an error if the hourly limit is reached', async () => {
  const { email } = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  const count = async () => (await readMailbox(email)).length
  const before = await count()
  let sent = 0
  const send = async () => {
    for (; sent < 10; sent++) await sendVerification(actor)
  }
  await expect(send()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await settleBackgroundWork()
  expect(sent).toBeGreaterThanOrEqual(3)
  expect((await count()) - before).toBe(sent)
})
