import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { settleBackgroundWork } from '@/lib/config/background'
import { resetConfig } from '@/lib/config/env'
import { prisma } from '@/lib/db/prisma'
import { mintEmailToken } from '@/lib/email-tokens/mint-email-token'
import { readMailbox } from '@/lib/mail/mailbox'
import { signUp } from '@/lib/people/sign-up'
import type { SessionActor } from '@/lib/policy/actor'
import { confirmEmail } from './confirm-email'
import { changeEmail, sendVerification } from './send-verification'

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
  vi.unstubAllEnvs()
  resetConfig()
})

const person = () => prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })

async function tokenMailedTo(address: string): Promise<string> {
  await settleBackgroundWork()
  const [mail] = await readMailbox(address)
  return /\/verify-email\?token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

it('verifies the address that reads the mail, once, for a day', async () => {
  await sendVerification(actor)
  const token = await tokenMailedTo(email)
  const stored = await prisma().emailToken.findFirstOrThrow({ where: { userId: actor.userId } })
  const lifetime = stored.expiresAt.getTime() - stored.createdAt.getTime()
  expect(Math.round(lifetime / 3_600_000)).toBe(24)
  expect((await person()).emailVerifiedAt).toBeNull()
  expect(await confirmEmail(visitor, token)).toEqual({ email })
  expect((await person()).emailVerifiedAt).toBeInstanceOf(Date)
  await expect(confirmEmail(visitor, token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(sendVerification(actor)).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('mails a new person the first link', async () => {
  const address = newEmail()
  await signUp(visitor, { name: 'Grace', email: address, password })
  expect(await confirmEmail(visitor, await tokenMailedTo(address))).toEqual({ email: address })
})

it('changes the address only when the new one is confirmed, and tells the old one', async () => {
  const next = newEmail()
  await changeEmail(actor, { email: next.toUpperCase(), password })
  expect((await person()).email).toBe(email)
  const reset = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId: actor.userId, email }),
  )
  expect(reset).toBeTruthy()
  await confirmEmail(visitor, await tokenMailedTo(next))
  expect(await person()).toMatchObject({ email: next, emailVerifiedAt: expect.any(Date) })
  expect(await prisma().emailToken.count({ where: { userId: actor.userId } })).toBe(0)
  await settleBackgroundWork()
  expect((await readMailbox(email))[0]?.text).toContain(next)
})

it('changes nothing without the password, or to an address that is taken', async () => {
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

it('gives nobody an address that got an account before the link was followed', async () => {
  const next = newEmail()
  await changeEmail(actor, { email: next, password })
  const token = await tokenMailedTo(next)
  await signUp(visitor, { name: 'Eve', email: next, password })
  await expect(confirmEmail(visitor, token)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await person()).email).toBe(email)
})

it('sends five mails an hour at most', async () => {
  for (let i = 0; i < 5; i++) await sendVerification(actor)
  await expect(sendVerification(actor)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})
