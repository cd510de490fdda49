import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookieName } from '@/lib/features/identity/sessions/session-cookie'
import { sealSignUpLink } from '@/lib/features/identity/users/sign-up'
import { makeUser, testPassword } from '@/lib/testing/factories'
import { readFlash } from '../forms/answer-form'
import { answerSignInForm, answerSignOut, answerSignUpForm } from './answer-sign-in-forms'

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  new Request(`${config().BASE_URL}${path}`, {
    method: 'POST',
    headers: { origin: config().BASE_URL, ...headers },
    body: new URLSearchParams(fields),
  })

const cookieOf = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] as string)
    .find((pair) => pair.startsWith(`${name}=`) && pair.length > name.length + 1)

let email: string
beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  email = (await makeUser()).email
})

const signIn = (fields: Record<string, string> = {}, headers?: Record<string, string>) =>
  answerSignInForm(post('/login/submit', { email, password: testPassword, ...fields }, headers))

describe('POST /login/submit', () => {
  it('signs in and redirects to the next page with a relative URL', async () => {
    const response = await signIn({ next: '/oauth/auth?client_id=a&state=b' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/oauth/auth?client_id=a&state=b')
    expect((await sessionFromCookies(cookieOf(response, sessionCookieName()), {}))?.user.email).toBe(email)
  })

  it('sets a session cookie with HttpOnly and SameSite=Lax for 14 days', async () => {
    const cookie = (await signIn()).headers.getSetCookie().find((one) => one.startsWith(sessionCookieName()))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/)
    expect(cookie).toMatch(/; Max-Age=1209600/)
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/%2Fevil.example'])(
    'does not redirect to %s',
    async (next) => {
      expect((await signIn({ next })).headers.get('location')).toBe('/')
    },
  )

  it.each(['/？evil', '/\u202e', '/\u2028'])('encodes the next page %j in the redirect URL', async (next) => {
    const response = await signIn({ next })
    expect([response.status, response.headers.get('location')]).toEqual([303, encodeURI(next)])
  })

  it('shows the same message for a wrong password and an unknown email address, without keeping the password', async () => {
    const wrong = await signIn({ password: 'not the password', next: '/account/tokens' })
    expect(wrong.status).toBe(303)
    expect(wrong.headers.get('location')).toBe('/login?error=unauthenticated&next=%2Faccount%2Ftokens')
    const [, value = ''] = cookieOf(wrong, 'lk-form')?.split('=') ?? []
    const flash = readFlash({ get: () => ({ value }) }, true)
    expect(flash?.values).toEqual({ email })
    expect(wrong.headers.getSetCookie().join()).not.toContain('not%20the%20password')
    const unknown = await signIn({ email: `${randomUUID()}@example.test` })
    const [, other = ''] = cookieOf(unknown, 'lk-form')?.split('=') ?? []
    expect(readFlash({ get: () => ({ value: other }) }, true)?.message).toBe(flash?.message)
    expect(unknown.headers.get('location')).toBe('/login?error=unauthenticated')
  })

  it.each(['null', 'https://evil.example'])('rejects a form from the origin %s', async (origin) => {
    const response = await signIn({}, { origin })
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toContain(config().BASE_URL)
  })

  it('answers 429 with a Retry-After header after too many attempts to sign in to an account', async () => {
    for (let i = 0; i < 10; i++) await signIn({ password: 'not the password' })
    const slowed = await signIn()
    expect(slowed.status).toBe(429)
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await slowed.text()).toContain('Too many')
  })

  it('ends the browser’s previous session', async () => {
    const before = cookieOf(await signIn(), sessionCookieName()) as string
    await signIn({}, { cookie: before })
    expect(await sessionFromCookies(before, {})).toBeUndefined()
  })
})

describe('POST /signup/submit', () => {
  const fields = () => ({ name: 'Ada', email: `${randomUUID()}@example.test`, password: testPassword })

  it('creates the account and signs the user in', async () => {
    const typed = fields()
    const response = await answerSignUpForm(post('/signup/submit', { ...typed, next: '/account/tokens' }))
    expect(response.headers.get('location')).toBe('/account/tokens')
    const session = await sessionFromCookies(cookieOf(response, sessionCookieName()), {})
    expect(session?.user).toMatchObject({ name: 'Ada', email: typed.email })
  })

  it('returns an error for each field and keeps the typed values', async () => {
    const wrong = { name: ' ', email: 'invalid', password: 'short' }
    const response = await answerSignUpForm(post('/signup/submit', wrong))
    const [, value = ''] = cookieOf(response, 'lk-form')?.split('=') ?? []
    const flash = readFlash({ get: () => ({ value }) }, true)
    expect(Object.keys(flash?.fields ?? {}).sort()).toEqual(['email', 'name', 'password'])
    expect(flash?.values).toEqual({ name: ' ', email: 'invalid' })
  })

  it('rejects a form from another site without creating an account', async () => {
    const typed = fields()
    const response = await answerSignUpForm(post('/signup/submit', typed, { origin: 'https://evil.example' }))
    expect(response.status).toBe(403)
    expect(await prisma().user.count({ where: { email: typed.email } })).toBe(0)
  })
})

describe('POST /signup/submit with email confirmation', () => {
  beforeEach(() => setChangedSettings({ signUpConfirm: 'first' }))
  afterEach(() => setChangedSettings({}))
  const asked = (address: string) =>
    answerSignUpForm(post('/signup/submit', { name: 'Ada', email: address, password: testPassword }))

  it('returns the same response whether or not an account exists, and creates no account', async () => {
    const fresh = `${randomUUID()}@example.test`
    const users = await prisma().user.count()
    const [taken, free] = [await asked(email), await asked(fresh)]
    for (const answer of [taken, free]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signup?state=sent'])
      expect(cookieOf(answer, sessionCookieName())).toBeUndefined()
    }
    expect(taken.headers.getSetCookie()).toEqual(free.headers.getSetCookie())
    expect(await prisma().user.count()).toBe(users)
  })

  it('signs the user in after they follow the emailed link, and redirects to the path stored in the link', async () => {
    const fresh = `${randomUUID()}@example.test`
    const token = sealSignUpLink({ email: fresh, next: '/account/tokens' })
    const fields = { token, name: 'Ada', password: testPassword, next: '/account/apps', email }
    const answer = await answerSignUpForm(post('/signup/submit', fields))
    expect(answer.headers.get('location')).toBe('/account/tokens')
    const session = await sessionFromCookies(cookieOf(answer, sessionCookieName()), {})
    expect(session?.user.email).toBe(fresh)
  })

  it('keeps the emailed link’s token in the URL after an error, but does not keep the password', async () => {
    const token = sealSignUpLink({ email: `${randomUUID()}@example.test`, next: '/' })
    const answer = await answerSignUpForm(post('/signup/submit', { token, name: 'Ada', password: 'short' }))
    expect(answer.headers.get('location')).toBe(`/signup?error=bad_user_input&token=${token}`)
    expect(answer.headers.getSetCookie().join()).not.toContain('short')
  })
})

describe('POST /logout', () => {
  it('deletes the session, not just the cookie', async () => {
    const cookie = cookieOf(await signIn(), sessionCookieName()) as string
    const response = await answerSignOut(post('/logout', { next: '/device' }, { cookie }))
    expect(response.headers.get('location')).toBe('/login?next=%2Fdevice')
    expect(response.headers.getSetCookie().join()).toContain(`${sessionCookieName()}=; Max-Age=0`)
    expect(await sessionFromCookies(cookie, {})).toBeUndefined()
  })

  it('rejects a request from another site', async () => {
    const cookie = cookieOf(await signIn(), sessionCookieName()) as string
    const response = await answerSignOut(post('/logout', {}, { cookie, origin: 'https://evil.example' }))
    expect(response.status).toBe(403)
    expect(await sessionFromCookies(cookie, {})).toBeDefined()
  })
})
