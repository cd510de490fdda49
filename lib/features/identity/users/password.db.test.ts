import { beforeEach, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, testPassword } from '@/lib/testing/factories'
import { findEmailToken, mintEmailToken } from '../email/email-tokens'
import { findLiveSession } from '../sessions/find-live-session'
import { startSession } from '../sessions/start-session'
import { beginTotp, pendingTotp } from '../two-factor/enroll-totp'
import { changeEmail } from './change-email'
import { changePassword, hasPassword } from './password'
import { updateProfile } from './profile'
import { signIn } from './sign-in'

const password = 'a whole new password'
let actor: SessionActor
let email: string

beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  const user = await makeUser()
  email = user.email
  const sessionId = await startSession({}, user.id, ['pwd'])
  actor = { kind: 'session', userId: user.id, sessionId, instanceAdmin: false }
})

it('a password change replaces the password and ends all other sessions', async () => {
  const other = await startSession({}, actor.userId, ['pwd'])
  await changePassword(actor, { current: testPassword, password })
  expect(await findLiveSession(other)).toBeUndefined()
  expect(await findLiveSession(actor.sessionId)).toBeDefined()
  await expect(signIn({}, { email, password })).resolves.toMatchObject({ userId: actor.userId })
  await expect(signIn({}, { email, password: testPassword })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
})

it('a password change ends setups and email links, except the link that verifies the current address', async () => {
  const { userId } = actor
  const mint = (purpose: 'VERIFY_EMAIL' | 'RESET_PASSWORD', to: string) =>
    mintEmailToken(prisma(), { purpose, userId, email: to })
  await beginTotp(actor, { password: testPassword })
  const reset = await mint('RESET_PASSWORD', email)
  const other = await mint('VERIFY_EMAIL', 'thief@example.com')
  await changePassword(actor, { current: testPassword, password })
  expect(await pendingTotp(actor)).toBeUndefined()
  expect(await findEmailToken('RESET_PASSWORD', reset)).toBeUndefined()
  expect(await findEmailToken('VERIFY_EMAIL', other)).toBeUndefined()
  const current = await mint('VERIFY_EMAIL', email)
  await changePassword(actor, { current: password, password: testPassword })
  expect(await findEmailToken('VERIFY_EMAIL', current)).toMatchObject({ email })
})

it('a password change with a wrong current password is rejected, and is rate-limited after ten attempts', async () => {
  const guess = () => changePassword(actor, { current: 'not it at all', password })
  for (let i = 0; i < 10; i++) await expect(guess()).rejects.toMatchObject({ details: { field: 'current' } })
  await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await prisma().rateLimit.deleteMany()
  await expect(signIn({}, { email, password: testPassword })).resolves.toMatchObject({ userId: actor.userId })
})

it('an easily guessed new password is rejected, and the current password remains valid', async () => {
  for (const weak of ['iloveyou2024', email]) {
    await expect(changePassword(actor, { current: testPassword, password: weak })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'password' },
    })
  }
  await expect(signIn({}, { email, password: testPassword })).resolves.toMatchObject({ userId: actor.userId })
})

it('a user from an identity provider can set a first password', async () => {
  await prisma().user.update({ where: { id: actor.userId }, data: { passwordHash: null } })
  expect(await hasPassword(actor)).toBe(false)
  await changePassword(actor, { password })
  await expect(signIn({}, { email, password })).resolves.toMatchObject({ userId: actor.userId })
})

it('a user without a password needs a recent sign-in to set a password or change the email address', async () => {
  await prisma().user.update({ where: { id: actor.userId }, data: { passwordHash: null } })
  const createdAt = new Date(Date.now() - 16 * 60_000)
  await prisma().session.update({ where: { id: actor.sessionId }, data: { createdAt } })
  await expect(changePassword(actor, { password })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(changeEmail(actor, { email: `${actor.userId}@example.com` })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  expect(await hasPassword(actor)).toBe(false)
})

it('a profile update changes the name and the picture, and rejects a picture URL that does not use HTTPS', async () => {
  await updateProfile(actor, { name: ' Ada ', avatarUrl: 'https://img.example/ada.png' })
  const find = () => prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  expect(await find()).toMatchObject({ name: 'Ada', avatarUrl: 'https://img.example/ada.png' })
  await updateProfile(actor, { name: 'Ada', avatarUrl: '' })
  expect((await find()).avatarUrl).toBeNull()
  for (const avatarUrl of ['http://img.example/a.png', 'javascript:alert(1)', 'data:image/png;base64,x']) {
    await expect(updateProfile(actor, { name: 'Ada', avatarUrl })).rejects.toMatchObject({
      details: { field: 'avatarUrl' },
    })
  }
})
