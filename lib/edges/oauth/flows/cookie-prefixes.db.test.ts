import { afterAll, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { flashCookie } from '@/lib/edges/web/forms/answer-form'
import { externalSignInCookie } from '@/lib/edges/web/sign-in/external-sign-in'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { secondStepCookie } from '@/lib/features/identity/two-factor/pending-sign-in'
import { offline, signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const inside = config().BASE_URL
const outside = 'https://login.example.test'
vi.stubEnv('BASE_URL', outside)
resetConfig()

/** A proxy that terminates TLS, and every cookie that passed through it. */
const cookies: string[] = []
const overHttp = globalThis.fetch
vi.stubGlobal('fetch', async (url: URL | string, init?: RequestInit) => {
  const answer = await overHttp(String(url).replace(outside, inside), init)
  cookies.push(...answer.headers.getSetCookie())
  return answer
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  resetConfig()
})

const { owner, web } = await startOAuthWorld()

/**
 * Requires that a cookie has the strictest name prefix that it qualifies for, and meets the browser
 * requirements for that prefix (RFC 6265bis section 4.1.3).
 */
function expectPrefix(cookie: string): void {
  const attributes = cookie.toLowerCase().split(/;\s*/).slice(1)
  expect(attributes, cookie).toEqual(expect.arrayContaining(['secure', 'httponly', 'samesite=lax']))
  expect(
    attributes.filter((each) => each.startsWith('domain=')),
    cookie,
  ).toEqual([])
  expect(cookie.split('latchkey')[0]?.split('lk-')[0], cookie).toBe(
    attributes.includes('path=/') ? '__Host-' : '__Secure-',
  )
}

it('the server sets only __Host- and __Secure- cookies during a sign-in over https', async () => {
  const { status } = await signInToApp(owner.browser, web, offline)
  expect(status).toBe(200)
  const names = new Set(cookies.map((cookie) => cookie.split('=', 1)[0]))
  expect([...names]).toEqual(
    expect.arrayContaining([
      '__Host-latchkey_oauth',
      '__Secure-latchkey_interaction',
      '__Secure-latchkey_resume',
    ]),
  )
  for (const cookie of cookies) expectPrefix(cookie)
})

it('session, second-step, and external sign-in cookies have the __Host- prefix over https, and flash cookies have the __Secure- prefix', async () => {
  const begun = { provider: 'a', state: 'b', nonce: 'c', verifier: 'd', next: '/' }
  const ofSignIn = [
    await sessionCookie({ sub: 'a', sid: 'b' }),
    secondStepCookie('a'),
    externalSignInCookie(begun),
  ]
  for (const cookie of ofSignIn) {
    expectPrefix(cookie)
    expect(cookie).toMatch(/^__Host-/)
  }
  expectPrefix(flashCookie('/login', { message: '', fields: {}, values: {} }))
})
