import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { confirmEmail } from '@/lib/features/identity/email/confirm-email'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import {
  beginTotp,
  confirmTotp,
  pendingTotp,
  removeTotp,
  renewRecoveryCodes,
} from '@/lib/features/identity/two-factor/enroll-totp'
import { beginSecondStep } from '@/lib/features/identity/two-factor/pending-sign-in'
import { verifyCode } from '@/lib/features/identity/two-factor/verify-code'
import { changeEmail } from '@/lib/features/identity/users/change-email'
import { changePassword } from '@/lib/features/identity/users/password'
import { updateProfile } from '@/lib/features/identity/users/profile'
import { requestPasswordReset } from '@/lib/features/identity/users/request-password-reset'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import { signInExternal } from '@/lib/features/identity/users/sign-in-external'
import { makeResetLink, removeTwoFactorMethods } from '@/lib/features/instance-admin/manage-users'
import type { SessionActor } from '@/lib/policy/actor'
import { makeApiToken, makeClient, makeUser, testPassword } from '@/lib/testing/factories'

let actor: SessionActor
let email: string

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  await prisma().rateLimit.deleteMany()
  const user = await makeUser({ email: `${randomUUID()}@example.com` })
  email = user.email
  const sessionId = await startSession({}, user.id, ['pwd'])
  actor = { kind: 'session', userId: user.id, sessionId, instanceAdmin: false, ip: '192.0.2.7' }
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

async function mailsTo(address: string) {
  await settleBackgroundWork()
  return (await readMailbox(address)).map(({ subject, text }) => ({ subject, text }))
}
const subjectsTo = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject)

async function setUpTotp(): Promise<{ secret: string; codes: string[] }> {
  await beginTotp(actor, { password: testPassword })
  const { secret = '' } = (await pendingTotp(actor)) ?? {}
  const { recoveryCodes } = await confirmTotp(actor, {
    code: TOTP.generate({ secret: Secret.fromBase32(secret) }),
  })
  return { secret, codes: recoveryCodes }
}

describe('an email about an account change', () => {
  it('reports a changed password, the IP address, the credentials that still work, and links to secure the account', async () => {
    await makeApiToken({ id: actor.userId })
    await makeApiToken({ id: actor.userId }, { expiresAt: new Date() })
    const { client } = await makeClient(undefined)
    await prisma().authorization.create({ data: { userId: actor.userId, clientId: client.id } })
    await changePassword(actor, { current: testPassword, password: 'a whole new password' })
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('Your password was changed: Latchkey')
    expect(mail?.text).toContain('192.0.2.7')
    expect(mail?.text).toContain('1 API token and 1 authorized app')
    for (const path of ['/forgot-password', '/account/tokens', '/account/apps']) {
      expect(mail?.text).toContain(`${process.env.BASE_URL}${path}\n`)
    }
  })

  it('reports that the password was set with an emailed link', async () => {
    await makeApiToken({ id: actor.userId })
    await requestPasswordReset({}, { email })
    const [asked] = await mailsTo(email)
    const token = /token=(\w+)/.exec(asked?.text ?? '')?.[1]
    await resetPassword({}, { token, password: 'a whole new password' })
    const [mail] = await mailsTo(email)
    expect(mail?.text).toContain('set with an emailed link')
    expect(mail?.text).toContain('1 API token.')
  })

  it('reports added and removed authenticator apps, and replaced and used recovery codes', async () => {
    const { codes } = await setUpTotp()
    const pending = await beginSecondStep(actor.userId, ['pwd'])
    await verifyCode({}, pending, { code: codes[0] })
    await renewRecoveryCodes(actor, { password: testPassword })
    await removeTotp(actor, { password: testPassword })
    expect((await subjectsTo(email)).sort()).toEqual([
      'A recovery code was used: Latchkey',
      'An authenticator app was added: Latchkey',
      'An authenticator app was removed: Latchkey',
      'Your recovery codes were replaced: Latchkey',
    ])
  })

  it('reports that an instance admin removed two-factor authentication, without revealing the admin’s IP address', async () => {
    await setUpTotp()
    const { id: userId } = await makeUser({ instanceAdmin: true })
    const instanceAdmin: SessionActor = { ...actor, userId, instanceAdmin: true, ip: '198.51.100.9' }
    await removeTwoFactorMethods(instanceAdmin, actor.userId)
    const mail = (await mailsTo(email)).find(({ subject }) =>
      subject.startsWith('Two-factor authentication was'),
    )
    expect(mail?.text).toContain('An instance admin removed')
    expect(mail?.text).not.toContain('198.51.100.9')
  })

  it('reports that an instance admin created a password reset link, without including the link', async () => {
    const { id: userId } = await makeUser({ instanceAdmin: true })
    const { link } = await makeResetLink({ ...actor, userId, instanceAdmin: true }, actor.userId)
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('A password reset link was created for you: Latchkey')
    expect(mail?.text).toContain('An instance admin created a link')
    expect(mail?.text).not.toContain(new URL(link).searchParams.get('token') as string)
  })

  it('reports a newly connected identity provider', async () => {
    const google = { provider: 'google', subject: randomUUID(), emailVerified: true, name: 'Ada' }
    await signInExternal({ ...google, email, avatarUrl: undefined })
    expect(await subjectsTo(email)).toEqual(['A sign-in method was added: Latchkey'])
    await signInExternal({ ...google, email, avatarUrl: undefined })
    expect(await subjectsTo(email)).toHaveLength(1)
  })

  it('reports a changed email address to both the old and the new address', async () => {
    const next = `${randomUUID()}@example.com`
    await changeEmail(actor, { email: next, password: testPassword })
    const [asked] = await mailsTo(next)
    await confirmEmail(actor, /token=(\w+)/.exec(asked?.text ?? '')?.[1] ?? '')
    expect(await subjectsTo(email)).toEqual(['Your email at Latchkey was changed'])
    expect(await subjectsTo(next)).toContain('Your email was changed: Latchkey')
  })
})

describe('the language of emails', () => {
  const languageOf = async () =>
    (await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })).language
  const signIn = (language: 'de' | 'fr' | 'ar', choseLanguage = false) =>
    startSession({ language, choseLanguage }, actor.userId, ['pwd'])

  it('is the language of the browser at the first sign-in, unless the user chooses one', async () => {
    await signIn('de')
    await signIn('fr')
    expect(await languageOf()).toBe('de')
    await changePassword(actor, { current: testPassword, password: 'a whole new password' })
    expect(await subjectsTo(email)).toEqual(['Ihr Passwort wurde geändert: Latchkey'])
    await signIn('ar', true)
    await signIn('fr')
    expect(await languageOf()).toBe('ar')
    await requestPasswordReset({ language: 'fr' }, { email })
    expect((await subjectsTo(email))[0]).toBe('عيّن كلمة مرور جديدة في Latchkey')
  })

  it('can be changed in the profile, but only to a supported language', async () => {
    await updateProfile(actor, { name: 'Ada', language: 'ja' })
    expect(await languageOf()).toBe('ja')
    await updateProfile(actor, { name: 'Ada' })
    expect(await languageOf()).toBe('ja')
    await expect(updateProfile(actor, { name: 'Ada', language: 'tlh' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('is the language of the request if none is stored for the user', async () => {
    await requestPasswordReset({ language: 'es' }, { email })
    expect((await subjectsTo(email))[0]).toBe('Crea una contraseña nueva para Latchkey')
  })
})
