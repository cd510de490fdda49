import { encode } from 'next-auth/jwt'
import { describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { sealToken } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { cookieName } from '@/lib/base/http/visitor'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import {
  authSecrets,
  sessionCookie,
  sessionCookieName,
} from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { makeUser } from '@/lib/testing/factories'
import {
  cookiesOf,
  csrfOf,
  requestAuth,
  signInWithOwnProvider,
  startOwnProvider,
} from '@/lib/testing/own-provider'

const { callback } = await startOwnProvider()

const session = (answer: Response) => sessionFromCookies(cookiesOf(answer), {})
const locationOf = (answer: Response) => answer.headers.get('location')

describe('the session at /api/auth', () => {
  async function signedIn() {
    const user = await makeUser()
    const sid = await startSession({}, user.id, ['pwd'])
    const cookie = (await sessionCookie({ sub: user.id, sid })).split(';', 1)[0] as string
    return { user, sid, cookie }
  }
  const shown = async (cookie: string) => (await requestAuth('session', { headers: { cookie } })).json()

  it('is the session in the cookie, whether the user signed in with a password or through a provider', async () => {
    const { user, cookie } = await signedIn()
    expect(await shown(cookie)).toMatchObject({ user: { email: user.email } })
    const answer = await signInWithOwnProvider(user.id)
    expect(await shown(cookiesOf(answer))).toMatchObject({ user: { email: user.email } })
  })

  it('is accepted from a cookie of release 2.0, which is replaced with a new cookie', async () => {
    const { user, sid } = await signedIn()
    const sealed = sealToken(JSON.stringify({ sub: user.id, sid }), 'browser-session')
    const answer = await requestAuth('session', { headers: { cookie: `${sessionCookieName()}=${sealed}` } })
    expect(await answer.json()).toMatchObject({ user: { email: user.email } })
    expect(cookiesOf(answer)).not.toContain(sealed)
    expect((await session(answer))?.actor.sessionId).toBe(sid)
  })

  it('is empty if the cookie is forged or expired, the session is revoked or expired, or the user is suspended', async () => {
    const { user, sid, cookie } = await signedIn()
    const token = { sub: user.id, sid }
    const named = (value: string) => `${sessionCookieName()}=${value}`
    const [secret] = authSecrets()
    const made = async (key: string, maxAge: number) => named(await encode({ token, secret: key, maxAge }))
    for (const each of [
      await made('another secret', 3600),
      await made(secret, -60),
      named('rubbish'),
      `${cookie}x`.replace('..', '..A'),
      // A next-auth cookie with another purpose is not a session.
      named(await encode({ token, secret, salt: cookieName('state') })),
    ]) {
      expect(await shown(each)).toEqual({})
      expect(await sessionFromCookies(each, {})).toBeUndefined()
    }
    const update = (data: object) => prisma().session.update({ where: { id: sid }, data })
    await update({ revokedAt: new Date() })
    expect(await shown(cookie)).toEqual({})
    await update({ revokedAt: null, expiresAt: new Date(Date.now() - 1000) })
    expect(await shown(cookie)).toEqual({})
    await update({ expiresAt: new Date(Date.now() + 60_000) })
    expect(await shown(cookie)).toMatchObject({ user: { email: user.email } })
    await prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } })
    expect(await shown(cookie)).toEqual({})
  })

  it('is empty but keeps its cookie while the user must set up two-factor authentication', async () => {
    const { cookie } = await signedIn()
    setChangedSettings({ requireTwoFactor: 'all' })
    const answer = await requestAuth('session', { headers: { cookie } })
    setChangedSettings({})
    expect(await answer.json()).toEqual({})
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await shown(cookie)).toMatchObject({ user: {} })
  })

  it('is ended by POST /api/auth/signout only with the CSRF token and from a page of this instance', async () => {
    const { sid, cookie } = await signedIn()
    const csrf = await csrfOf()
    const signOut = (origin: string, csrfToken: string) =>
      requestAuth('signout', {
        method: 'POST',
        headers: { origin, cookie: `${cookie}; ${csrf.cookie}` },
        body: new URLSearchParams({ csrfToken }),
      })
    const isLive = async () =>
      (await prisma().session.findUniqueOrThrow({ where: { id: sid } })).revokedAt === null
    expect((await signOut('https://evil.example', csrf.token)).status).toBe(403)
    for (const token of ['guessed', '']) {
      expect(locationOf(await signOut(config().BASE_URL, token))).toBe('/login?error=failed')
    }
    expect(await isLive()).toBe(true)
    const answer = await signOut(config().BASE_URL, csrf.token)
    expect(locationOf(answer)).toBe('/')
    expect(answer.headers.getSetCookie().join()).toContain(`${sessionCookieName()}=; Max-Age=0`)
    expect(await isLive()).toBe(false)
  })
})

describe('other URLs below /api/auth', () => {
  it('redirect to this instance’s sign-in page instead of next-auth’s', async () => {
    const next = encodeURIComponent('/account/apps')
    expect(locationOf(await requestAuth(`signin?callbackUrl=${next}`))).toBe('/login?next=%2Faccount%2Fapps')
    expect(locationOf(await requestAuth('signin?callbackUrl=https%3A%2F%2Fevil.example'))).toBe('/login')
    expect(locationOf(await requestAuth('signin/oidc'))).toBe('/login')
    expect(locationOf(await requestAuth('error?error=Configuration'))).toBe('/login?error=failed')
  })

  it('list the providers with URLs below BASE_URL, regardless of the Host header', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    expect(await (await requestAuth('providers', { headers })).json()).toEqual({
      oidc: {
        id: 'oidc',
        name: config().oidcName,
        type: 'oauth',
        signinUrl: `${config().BASE_URL}/api/auth/signin/oidc`,
        callbackUrl: callback,
      },
    })
  })

  it.each([
    ...['_log', 'verify-request', 'signin/oidc/more', 'constructor'].flatMap((path) => [
      ['GET', path],
      ['POST', path],
    ]),
    ['GET', 'signout'],
    ['POST', 'session'],
    ['POST', 'callback/oidc'],
  ])('do not exist: %s %s', async (method, path) => {
    const headers = { origin: config().BASE_URL }
    expect((await requestAuth(path, { method, headers })).status).toBe(404)
  })

  it.each(['csrf', 'providers', 'session', 'signin', 'error', 'callback/oidc'])(
    'ignore an invalid callbackUrl in requests to %s',
    async (path) => {
      const answer = await requestAuth(`${path}?callbackUrl=ftp%3A%2F%2Fevil.example`)
      expect(answer.status).toBeLessThan(400)
      expect(`${locationOf(answer)} ${answer.headers.getSetCookie()}`).not.toContain('evil.example')
    },
  )

  it.each(['{"csrfToken": ', '{"csrfToken": {}}', 'null'])(
    'redirect to the sign-in page with an error for the body %s',
    async (body) => {
      for (const path of ['signin/oidc', 'signout']) {
        const headers = { origin: config().BASE_URL, 'content-type': 'application/json' }
        const answer = await requestAuth(path, { method: 'POST', headers, body })
        expect(locationOf(answer)).toBe('/login?error=failed')
      }
    },
  )
})
