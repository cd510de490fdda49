import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookieName } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { beginTotp, confirmTotp, pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { signUp } from '@/lib/features/identity/users/sign-up'
import type { SessionActor } from '@/lib/policy/actor'
import {
  answerPasskeyOptions,
  answerSecondStepCode,
  answerSecondStepOptions,
  answerSignInForm,
} from './answer-sign-in-forms'
import { completeSignIn } from './complete-sign-in'

const password = 'correct horse battery'
let email: string
let userId: string
let proven: { userId: string; passwordHash: string | null }
let secret: string

/** A browser that sends forms from this origin and stores cookies. */
class Browser {
  private readonly jar = new Map<string, string>()
  constructor(private readonly origin = config().BASE_URL) {}

  request(path: string, fields?: Record<string, string>): Request {
    return new Request(`${config().BASE_URL}${path}`, {
      method: fields ? 'POST' : 'GET',
      headers: { cookie: this.cookies, origin: this.origin },
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    })
  }
  get cookies() {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  keep(response: Response): Response {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1)
      const at = pair.indexOf('=')
      if (/max-age=0/i.test(cookie)) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  session = () => sessionFromCookies(this.cookies, {})
}

beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  email = `${randomUUID()}@example.com`
  proven = await signUp({}, { name: 'Ada', email, password })
  userId = proven.userId
  const sessionId = await startSession({}, userId, ['pwd'])
  const actor: SessionActor = { kind: 'session', userId, sessionId, instanceAdmin: false }
  await beginTotp(actor, { password })
  secret = (await pendingTotp(actor))?.secret ?? ''
  await confirmTotp(actor, { code: code() })
  // Reset the time step of the last used code, so that the current code is accepted.
  await prisma().totpSecret.update({ where: { userId }, data: { lastStep: 0 } })
})

const code = () => TOTP.generate({ secret: Secret.fromBase32(secret) })

describe('the second step of a sign-in', () => {
  it('is required before a session is created, and the session records both methods', async () => {
    const browser = new Browser()
    const first = browser.keep(
      await answerSignInForm(browser.request('/login/submit', { email, password, next: '/account/apps' })),
    )
    expect(first.headers.get('location')).toBe('/login/verify?next=%2Faccount%2Fapps')
    expect(browser.cookies).not.toContain(sessionCookieName())
    const cookie = first.headers.getSetCookie().find((one) => one.startsWith('latchkey.second-step'))
    expect(cookie).toMatch(/Path=\/; HttpOnly; SameSite=Lax/)

    const wrong = browser.keep(
      await answerSecondStepCode(
        browser.request('/login/verify/submit', { code: 'aaaaaa', next: '/account/apps' }),
      ),
    )
    expect(wrong.headers.get('location')).toBe('/login/verify?error=bad_user_input&next=%2Faccount%2Fapps')
    expect(JSON.stringify(wrong.headers.getSetCookie())).not.toContain('aaaaaa')
    expect(await browser.session()).toBeUndefined()

    const right = browser.keep(
      await answerSecondStepCode(
        browser.request('/login/verify/submit', { code: code(), next: '/account/apps' }),
      ),
    )
    expect(right.headers.get('location')).toBe('/account/apps')
    expect((await browser.session())?.methods).toEqual(['pwd', 'otp', 'mfa'])
    expect(browser.cookies).not.toContain('latchkey.second-step')
  })

  it('is required even after a sign-in through an identity provider, and the session records both methods', async () => {
    const browser = new Browser()
    const form = { request: browser.request('/'), visitor: {}, next: '/account/apps' }
    const first = browser.keep(
      await completeSignIn(form, 'provider', Promise.resolve({ ...proven, methods: ['ext'] })),
    )
    expect(first.headers.get('location')).toBe('/login/verify?next=%2Faccount%2Fapps')
    expect(await browser.session()).toBeUndefined()
    browser.keep(await answerSecondStepCode(browser.request('/login/verify/submit', { code: code() })))
    expect((await browser.session())?.methods).toEqual(['ext', 'otp', 'mfa'])
  })

  it('records the SSO connection in the session if the first step used SSO', async () => {
    const browser = new Browser()
    const form = { request: browser.request('/'), visitor: {}, next: '/account/apps' }
    const sso = { ssoWorkspaceId: randomUUID(), ssoIssuer: 'https://idp.example' }
    const proof = { ...proven, methods: ['ext' as const], sso }
    browser.keep(await completeSignIn(form, 'provider', Promise.resolve(proof)))
    browser.keep(await answerSecondStepCode(browser.request('/login/verify/submit', { code: code() })))
    expect(await prisma().session.count({ where: { userId, ...sso } })).toBe(1)
    // The session is not valid because the workspace does not exist.
    expect(await browser.session()).toBeUndefined()
  })

  it('is not required if the user has no two-factor method', async () => {
    await prisma().totpSecret.deleteMany({ where: { userId } })
    const browser = new Browser()
    browser.keep(await answerSignInForm(browser.request('/login/submit', { email, password })))
    expect((await browser.session())?.methods).toEqual(['pwd'])
  })

  it('fails for requests from other sites and for users without a pending sign-in', async () => {
    const evil = new Browser('https://evil.example')
    expect((await answerSecondStepCode(evil.request('/login/verify/submit', { code: code() }))).status).toBe(
      403,
    )
    expect((await answerPasskeyOptions(evil.request('/login/passkey/options', {}))).status).toBe(403)
    const visitor = new Browser()
    const options = await answerSecondStepOptions(visitor.request('/login/verify/options', {}))
    expect([options.status, await options.json()]).toEqual([
      401,
      { error: 'This sign-in has expired. Sign in again.' },
    ])
    const refused = await answerSecondStepCode(visitor.request('/login/verify/submit', { code: code() }))
    expect(refused.headers.get('location')).toBe('/login/verify?error=unauthenticated')
  })

  it('fails with status 429 after too many attempts', async () => {
    const browser = new Browser()
    browser.keep(await answerSignInForm(browser.request('/login/submit', { email, password })))
    const guess = () => answerSecondStepCode(browser.request('/login/verify/submit', { code: '00000a' }))
    for (let i = 0; i < 6; i++) expect((await guess()).status).toBe(303)
    const slowed = await guess()
    expect(slowed.status).toBe(429)
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
