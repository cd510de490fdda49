import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { cookieName } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie, sessionCookieName } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { secondStepCookieName } from '@/lib/features/identity/two-factor/pending-sign-in'
import { captureLog } from '@/lib/testing/captured-log'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import {
  cookiesOf,
  csrfOf,
  finishSignIn,
  signInWithOwnProvider,
  startOwnProvider,
  startSignIn,
  visitProvider,
} from '@/lib/testing/own-provider'
import { reasonOf } from './external-sign-in'

const provider = await startOwnProvider()
const { callback, configure } = provider

const session = (answer: Response) => sessionFromCookies(cookiesOf(answer), {})
const locationOf = (answer: Response) => answer.headers.get('location')

describe('a sign-in through an OpenID Connect provider', () => {
  it('creates a session with one factor and redirects to the next page', async () => {
    const user = await makeUser()
    const answer = await signInWithOwnProvider(user.id, '/account/apps?a=1')
    expect(locationOf(answer)).toBe('/account/apps?a=1')
    expect(await session(answer)).toMatchObject({ user: { id: user.id }, methods: ['ext'] })
    expect(await prisma().identity.count({ where: { userId: user.id, subject: user.id } })).toBe(1)
  })

  it('uses a new state, nonce, and PKCE challenge for each sign-in', async () => {
    const [one, two] = [await startSignIn(), await startSignIn()].map(
      (answer) => new URL(locationOf(answer) as string).searchParams,
    )
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one?.get(name)).not.toBe(two?.get(name))
    }
    expect(one?.get('code_challenge_method')).toBe('S256')
    expect(one?.get('redirect_uri')).toBe(callback)
    expect(one?.get('scope')).toBe('openid email profile')
  })

  it('requires two-factor authentication if the user has set it up', async () => {
    const user = await makeUser()
    await prisma().totpSecret.create({
      data: { userId: user.id, sealed: Buffer.from('x'), confirmedAt: new Date() },
    })
    const answer = await signInWithOwnProvider(user.id, '/account/apps')
    expect(locationOf(answer)).toBe('/login/verify?next=%2Faccount%2Fapps')
    expect(cookiesOf(answer)).toContain(`${secondStepCookieName()}=`)
    expect(answer.headers.getSetCookie().join()).not.toContain(sessionCookieName())
    expect(await session(answer)).toBeUndefined()
  })

  it('replaces the browser’s previous session', async () => {
    const [before, user] = [await makeUser(), await makeUser()]
    const sid = await startSession({}, before.id, ['pwd'])
    const held = (await sessionCookie({ sub: before.id, sid })).split(';', 1)[0] as string
    const begun = await startSignIn()
    const answer = await finishSignIn(await visitProvider(begun, user.id), `${cookiesOf(begun)}; ${held}`)
    expect((await session(answer))?.user.id).toBe(user.id)
    expect(await sessionFromCookies(held, {})).toBeUndefined()
  })

  it('accepts a response only for the sign-in that requested it, in the same browser', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const user = await makeUser()
    const [mine, other] = [await startSignIn(), await startSignIn()]
    const address = await visitProvider(mine, user.id)
    const forged = cookiesOf(mine).replaceAll(/(code-verifier|state|nonce)=[^;]{9}/g, '$1=AAAAAAAAA')
    for (const cookie of ['', cookiesOf(other), forged]) {
      const answer = await finishSignIn(address, cookie)
      expect(locationOf(answer)).toBe('/login?error=failed')
      expect(await session(answer)).toBeUndefined()
    }
    expect(warn).toHaveBeenCalled()
    const changed = new URL(address)
    changed.searchParams.set('state', 'another')
    expect(locationOf(await finishSignIn(changed.href, cookiesOf(mine)))).toBe('/login?error=failed')
    expect(locationOf(await finishSignIn(address, cookiesOf(mine)))).toBe('/')
    expect(await prisma().session.count({ where: { userId: user.id, methods: { has: 'ext' } } })).toBe(1)
  })

  it.each(['code-verifier', 'state', 'nonce'])(
    'requires the %s of the sign-in that requested the response',
    async (check) => {
      vi.spyOn(log, 'warn').mockImplementation(() => {})
      const user = await makeUser()
      const [mine, other] = [await startSignIn(), await startSignIn()]
      const address = await visitProvider(mine, user.id)
      const one = (answer: Response) => cookiesOf(answer).split('; ')
      const swapped = one(mine).map((pair) => {
        const [name] = pair.split('=')
        return name === cookieName(check) ? one(other).find((each) => each.startsWith(`${name}=`)) : pair
      })
      const answer = await finishSignIn(address, swapped.join('; '))
      expect(locationOf(answer)).toBe('/login?error=failed')
      expect(await session(answer)).toBeUndefined()
    },
  )

  it('deletes its cookies for state, nonce, and code verifier after one response, and fails for a second response', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const begun = await startSignIn()
    const address = await visitProvider(begun, (await makeUser()).id)
    const answer = await finishSignIn(address, cookiesOf(begun))
    expect(locationOf(answer)).toBe('/')
    for (const check of ['code-verifier', 'state', 'nonce']) {
      expect(answer.headers.getSetCookie()).toContainEqual(
        expect.stringMatching(new RegExp(`^${cookieName(check)}=; Max-Age=0`)),
      )
    }
    expect(locationOf(await finishSignIn(address, cookiesOf(begun)))).toBe('/login?error=failed')
  })

  it('fails if the response arrives after 15 minutes, even with a copy of the cookies', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const begun = await startSignIn()
    const address = await visitProvider(begun, (await makeUser()).id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 30_000 })
    const answer = await finishSignIn(address, cookiesOf(begun))
    vi.useRealTimers()
    expect(locationOf(answer)).toBe('/login?error=failed')
  })

  it('is limited per IP address, both before and after the visit to the provider', async () => {
    const from = { 'x-forwarded-for': '192.0.2.77' }
    const csrf = await csrfOf()
    const begun = await startSignIn('/', { headers: from, csrf })
    for (let at = 0; at < 59; at++) expect((await startSignIn('/', { headers: from, csrf })).status).toBe(302)
    const refused = await startSignIn('/', { headers: from, csrf })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const answer = await finishSignIn(`${callback}?code=x&state=y`, cookiesOf(begun), from)
    expect(locationOf(answer)).toBe('/login?error=too_many')
  })

  it('reports that the user denied access and keeps the next page', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const begun = await startSignIn('/account/apps')
    const address = await visitProvider(begun, (await makeUser()).id, 'deny')
    const answer = await finishSignIn(address, cookiesOf(begun))
    expect(locationOf(answer)).toBe('/login?error=denied&next=%2Faccount%2Fapps')
    expect(warn).not.toHaveBeenCalled()
  })

  it('does not log text from the provider’s response', async () => {
    const captured = captureLog()
    const text = 'the admin password is'
    const begun = await startSignIn()
    for (const error of [text, 'server_error']) {
      const query = new URLSearchParams({ error, error_description: text, state: 's' })
      const answer = await finishSignIn(`${callback}?${query}`, cookiesOf(begun))
      expect(locationOf(answer)).toBe('/login?error=failed')
    }
    captured.release()
    expect(captured.text()).not.toContain('password')
    const warned = captured.entries().filter(({ level }) => level === 'warn')
    expect(warned[0]).toMatchObject({ msg: 'a sign-in through a provider failed', name: 'oidc' })
  })

  it('fails for a suspended user', async () => {
    const there = await makeUser()
    const here = await makeUser({ suspendedAt: new Date() })
    await prisma().identity.create({ data: { provider: 'oidc', subject: there.id, userId: here.id } })
    const answer = await signInWithOwnProvider(there.id)
    expect(locationOf(answer)).toBe('/login?error=suspended')
    expect(await session(answer)).toBeUndefined()
  })

  it('fails for a user whose workspace requires SSO, and reports this reason', async () => {
    const there = await makeUser()
    const domain = `${randomUUID()}.example.test`
    const here = await makeUser({ email: `ada@${domain}` })
    await prisma().identity.create({ data: { provider: 'oidc', subject: there.id, userId: here.id } })
    const { id: workspaceId } = await makeWorkspace([[here, 'MEMBER']])
    await prisma().workspaceIdentityProvider.create({
      data: {
        workspaceId,
        issuer: 'https://idp.example',
        clientId: 'c',
        domain,
        requiresSso: true,
        token: 'x',
        verifiedAt: new Date(),
      },
    })
    const answer = await signInWithOwnProvider(there.id, '/account')
    expect(locationOf(answer)).toBe('/login?error=sso_required&next=%2Faccount')
    expect(await session(answer)).toBeUndefined()
  })

  it('does not report a suspension for an error without a reason', () => {
    vi.spyOn(log, 'info').mockImplementation(() => {})
    const expired = new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
    expect(reasonOf('github', expired)).toBe('failed')
  })

  it('uses the account that the provider’s user is connected to, regardless of the email address', async () => {
    const [there, here] = [await makeUser(), await makeUser()]
    await prisma().identity.create({ data: { provider: 'oidc', subject: there.id, userId: here.id } })
    expect((await session(await signInWithOwnProvider(there.id)))?.user.id).toBe(here.id)
  })
})

describe('a sign-in through GitHub', () => {
  /** GitHub's API, which returns this user for every access token. */
  const github = { id: 4711, login: 'ada', name: 'Ada' }
  let redeemed: URLSearchParams[]

  beforeEach(async () => {
    await prisma().rateLimit.deleteMany()
    configure({ GITHUB_CLIENT_ID: 'Iv1.app', GITHUB_CLIENT_SECRET: 'secret' })
    redeemed = []
    const answers: Record<string, (body: string) => object> = {
      '/user': () => github,
      '/user/emails': () => [],
      '/login/oauth/access_token': (body) => {
        redeemed.push(new URLSearchParams(body))
        return { access_token: 'gho_ours', token_type: 'bearer', scope: 'read:user' }
      },
    }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
      const request = new Request(...args)
      const answer = answers[new URL(request.url).pathname]
      return answer ? Response.json(answer(await request.text())) : new Response(null, { status: 404 })
    })
  })

  async function begin() {
    const user = await makeUser()
    await prisma().identity.deleteMany({ where: { provider: 'github' } })
    await prisma().identity.create({
      data: { provider: 'github', subject: String(github.id), userId: user.id },
    })
    const begun = await startSignIn('/account', { id: 'github' })
    const { searchParams: sent } = new URL(locationOf(begun) as string)
    const back = (more: Record<string, string>) =>
      finishSignIn(
        `${config().BASE_URL}/api/auth/callback/github?${new URLSearchParams({ state: sent.get('state') as string, ...more })}`,
        cookiesOf(begun),
      )
    return { user, sent, back }
  }

  it('redeems the code with the PKCE verifier of this browser', async () => {
    const { user, sent, back } = await begin()
    const answer = await back({ code: 'c' })
    expect(locationOf(answer)).toBe('/account')
    expect((await session(answer))?.user.id).toBe(user.id)
    const verifier = redeemed[0]?.get('code_verifier') as string
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(sent.get('code_challenge'))
    expect(redeemed[0]?.get('code')).toBe('c')
  })

  it('fails if the response has no code, even if the response contains an access token', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const token = { access_token: 'gho_of_another_app', token_type: 'bearer' }
    for (const more of [token, { ...token, scope: 'read:user' }, { ...token, code: '' }, {}]) {
      const { back } = await begin()
      const answer = await back(more)
      expect(locationOf(answer)).toBe('/login?error=failed&next=%2Faccount')
      expect(await session(answer)).toBeUndefined()
    }
    expect(redeemed).toEqual([])
  })

  it('fails if the response names a different issuer', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const { back } = await begin()
    const answer = await back({ code: 'c', iss: 'https://evil.example' })
    expect(await session(answer)).toBeUndefined()
    expect(redeemed).toEqual([])
  })
})

describe('a sign-in form', () => {
  it('is accepted only from pages of this instance', async () => {
    const answer = await startSignIn('/', { headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
    expect(locationOf(answer)).toBeNull()
  })

  it('requires the CSRF token of this browser', async () => {
    const [mine, other] = [await csrfOf(), await csrfOf()]
    expect(mine.token).not.toBe(other.token)
    for (const csrf of [
      { ...mine, token: other.token },
      { ...mine, token: '' },
      { token: mine.token, cookie: '' },
      { token: mine.token, cookie: `${cookieName('csrf-token')}=${mine.token}%7C${'0'.repeat(64)}` },
    ]) {
      expect(locationOf(await startSignIn('/account', { csrf }))).toBe('/login?error=failed&next=%2Faccount')
    }
    expect(locationOf(await startSignIn('/', { csrf: mine }))).toMatch(
      new RegExp(`^${provider.url}/oauth/auth\\?`),
    )
  })

  it('does not redirect to other sites', async () => {
    const user = await makeUser()
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const begun = await startSignIn(next)
      const address = await visitProvider(begun, user.id)
      expect(locationOf(await finishSignIn(address, cookiesOf(begun)))).toBe('/')
    }
    const begun = await startSignIn('/account')
    const address = await visitProvider(begun, user.id)
    const swapped = `${cookiesOf(begun).replace(/latchkey\.callback-url=[^;]*/, '')}; ${cookieName('callback-url')}=${encodeURIComponent('https://evil.example/')}`
    expect(locationOf(await finishSignIn(address, swapped))).toBe('/')
    const other = await startSignIn('/account')
    const added = new URL(await visitProvider(other, user.id))
    added.searchParams.set('callbackUrl', 'https://evil.example/')
    expect(locationOf(await finishSignIn(added.href, cookiesOf(other)))).toBe('/account')
  })

  it('leads to an error if its URL contains parameters for the request to the provider', async () => {
    const answer = await startSignIn('/', { query: '?prompt=none&redirect_uri=https://evil.example' })
    expect(locationOf(answer)).toBe('/login?error=failed')
  })

  it('redirects to the sign-in page with an error if the provider is not configured', async () => {
    expect(locationOf(await startSignIn('/', { id: 'github' }))).toBe('/login?error=provider')
  })
})

describe('a provider’s metadata', () => {
  it('is accepted regardless of a trailing slash in its issuer', async () => {
    configure({ OIDC_ISSUER: `${provider.url}/oauth/` })
    expect(locationOf(await startSignIn())).toMatch(new RegExp(`^${provider.url}/oauth/auth\\?`))
  })

  it('is rejected if it contains a different issuer', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const asked: string[] = []
    const impostor = createServer((request, response) => {
      asked.push(request.url as string)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: `${provider.url}/oauth`, token_endpoint: `${url}/token` }))
    })
    await new Promise<void>((ready) => impostor.listen(0, '127.0.0.1', ready))
    // The impostor has a path, because at the root, its responses would be validated against this server's
    // OpenAPI description.
    const url = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}/impostor`
    const begun = await startSignIn()
    const address = await visitProvider(begun, (await makeUser()).id)
    configure({ OIDC_ISSUER: url })
    expect(locationOf(await finishSignIn(address, cookiesOf(begun)))).toBe('/login?error=failed')
    expect(locationOf(await startSignIn())).toBe('/login?error=provider')
    impostor.close()
    expect(new Set(asked)).toEqual(new Set(['/impostor/.well-known/openid-configuration']))
  })
})
