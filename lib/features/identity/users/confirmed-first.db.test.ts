import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { sealToken } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { makeUser } from '@/lib/testing/factories'
import { signInExternal } from './sign-in-external'
import { beginSignUp, finishSignUp, openSignUpLink, sealSignUpLink, signUp } from './sign-up'

const visitor = { ip: '192.0.2.9' }
const password = 'three gray herons wade'
const emailAt = (domain: string) => `${randomUUID()}@${domain}`

beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  setChangedSettings({ signUp: 'domains', signUpDomains: 'example.com,*.corp.test' })
  await prisma().rateLimit.deleteMany()
  await prisma().outboxMail.deleteMany()
})
afterEach(() => {
  setChangedSettings({})
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  resetConfig()
})

const mails = async (to: string) => {
  await settleBackgroundWork()
  return readMailbox(to)
}

const tokenIn = (text: string | undefined): string => /\/signup\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''

async function mailedToken(email: string, next?: string): Promise<string> {
  await beginSignUp(visitor, { email }, next)
  return tokenIn((await mails(email))[0]?.text)
}

const finish = (token: string) => finishSignUp(visitor, { token, name: 'New', password })

describe('sign-up limited to email domains', () => {
  it('creates an account for the email address in the link, and continues to the next page', async () => {
    const email = emailAt('example.com')
    const token = await mailedToken(email.toUpperCase(), '/device?user_code=ABCD')
    expect(await prisma().user.count({ where: { email } })).toBe(0)
    const { userId, next } = await finish(token)
    expect(next).toBe('/device?user_code=ABCD')
    expect(await prisma().user.findUnique({ where: { id: userId } })).toMatchObject({
      email,
      emailVerifiedAt: expect.any(Date),
    })
    await expect(finish(token)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('creates an account only for the email address in the link, even if the form contains a different one', async () => {
    const email = emailAt('example.com')
    const token = await mailedToken(email)
    const input = { token, name: 'New', password, email: 'boss@example.com', emailVerifiedAt: '2020-01-01' }
    const { userId } = await finishSignUp(visitor, input)
    expect(await prisma().user.findUnique({ where: { id: userId } })).toMatchObject({ email })
  })

  it.each([
    ['accepts', 'ada@example.com'],
    ['accepts', 'ada@EXAMPLE.com'],
    ['accepts', 'ada@a.corp.test'],
    ['accepts', 'ada@b.a.corp.test'],
    ['rejects', 'ada@corp.test'],
    ['rejects', 'ada@notexample.com'],
    ['rejects', 'ada@example.com.evil.test'],
    ['rejects', 'ada@sub.example.com'],
    ['rejects', 'ada@evilcorp.test'],
    ['rejects', 'ada@evil.test'],
  ])('%s %s', async (outcome, email) => {
    const may = outcome === 'accepts'
    const asked = beginSignUp(visitor, { email })
    if (may) await asked
    else await expect(asked).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await mails(email)).toHaveLength(may ? 1 : 0)
    const external = signInExternal({
      provider: 'github',
      subject: randomUUID(),
      email,
      emailVerified: true,
      name: 'New',
      avatarUrl: undefined,
    })
    expect(
      await external.then(
        () => true,
        () => false,
      ),
    ).toBe(may)
    await prisma().user.deleteMany({ where: { email: asStoredAddress(email) } })
  })

  it.each(['"ada@example.com"@evil.test', 'ada@evil.test,x@example.com', 'ada@evil.test\n@example.com'])(
    'rejects %j, which is not an email address in an allowed domain',
    async (email) => {
      await expect(beginSignUp(visitor, { email })).rejects.toMatchObject({
        code: expect.stringMatching(/BAD_USER_INPUT|FORBIDDEN/),
      })
      expect(await prisma().outboxMail.count()).toBe(0)
    },
  )

  it('rejects an email address that the identity provider did not verify, even if it is in an allowed domain', async () => {
    const email = emailAt('example.com')
    const external = { provider: 'github', subject: randomUUID(), email, name: 'New', avatarUrl: undefined }
    await expect(signInExternal({ ...external, emailVerified: false })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await prisma().user.count({ where: { email } })).toBe(0)
  })

  it('rejects the sign-up form without an emailed link', async () => {
    const email = emailAt('example.com')
    await expect(signUp(visitor, { name: 'New', email, password })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await prisma().user.count({ where: { email } })).toBe(0)
  })

  it('applies the policy that is in effect when the user finishes the sign-up', async () => {
    const token = await mailedToken(emailAt('example.com'))
    setChangedSettings({ signUp: 'domains', signUpDomains: 'other.test' })
    await expect(finish(token)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    setChangedSettings({ signUp: 'closed' })
    await expect(finish(token)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('sign-up with a confirmed email address', () => {
  beforeEach(() => setChangedSettings({ signUpConfirm: 'first' }))

  it('reveals an existing account only in the email, not in the response', async () => {
    const { email } = await makeUser()
    const stranger = emailAt('anywhere.test')
    expect(await beginSignUp(visitor, { email })).toEqual(await beginSignUp(visitor, { email: stranger }))
    const [owner, linked] = [(await mails(email))[0], (await mails(stranger))[0]]
    expect(owner?.subject).toContain('already have')
    expect(tokenIn(owner?.text)).toBe('')
    expect(tokenIn(linked?.text)).not.toBe('')
  })

  it('sends nothing to a suspended user', async () => {
    const { email } = await makeUser({ suspendedAt: new Date() })
    await beginSignUp(visitor, { email })
    expect(await mails(email)).toHaveLength(0)
  })

  it('limits the emails per mailbox and the requests per IP address', async () => {
    const email = emailAt('anywhere.test')
    for (let at = 0; at < 6; at++) await beginSignUp({ ip: `192.0.2.${at}` }, { email })
    expect(await mails(email)).toHaveLength(4)
    for (let at = 0; at < 10; at++) await beginSignUp(visitor, { email: emailAt('anywhere.test') })
    await expect(beginSignUp(visitor, { email: emailAt('anywhere.test') })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  it('rejects a link that is older than an hour, forged, or encrypted for another purpose', async () => {
    const email = emailAt('anywhere.test')
    const token = sealSignUpLink({ email, next: '/' })
    expect(openSignUpLink(token)).toEqual({ email, next: '/' })
    const session = sealToken(JSON.stringify({ email, next: '/', until: 9e15 }), 'browser-session')
    for (const wrong of [`A${token}`, token.slice(1), session, '', 'x']) {
      expect(openSignUpLink(wrong)).toBeUndefined()
      await expect(finish(wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60 * 60_000 + 1000)
    await expect(finish(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
