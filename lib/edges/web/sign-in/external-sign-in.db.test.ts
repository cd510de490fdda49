import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { secondStepCookieName } from '@/lib/features/identity/two-factor/pending-sign-in'
import { makePerson } from '@/lib/testing/factories'
import { cookiesOf, startOwnProvider, visitProvider } from '@/lib/testing/own-provider'
import { finishExternalSignIn, startExternalSignIn } from './external-sign-in'

const provider = await startOwnProvider()
const { callback, configure } = provider

const start = (next = '/', origin = config().BASE_URL, id = 'oidc') =>
  startExternalSignIn(
    new Request(`${config().BASE_URL}/login/with/${id}`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ next }),
    }),
    id,
  )

const finish = (address: string, cookie: string) =>
  finishExternalSignIn(new Request(address, { headers: { cookie } }), 'oidc')

/** Signs somebody in through the provider. */
async function signInThrough(userId: string, next?: string) {
  const begun = await start(next)
  return finish(await visitProvider(begun, userId), cookiesOf(begun))
}

const session = (answer: Response) => sessionFromCookies(cookiesOf(answer), {})

describe('signing in through an OpenID Connect provider', () => {
  it('ends in a session of one factor, where the person was going', async () => {
    const person = await makePerson()
    const answer = await signInThrough(person.id, '/account/apps?a=1')
    expect(answer.headers.get('location')).toBe('/account/apps?a=1')
    expect(await session(answer)).toMatchObject({ person: { id: person.id }, methods: ['ext'] })
    expect(await prisma().identity.count({ where: { userId: person.id, subject: person.id } })).toBe(1)
  })

  it('proves itself by state, nonce and PKCE of its own, each time others', async () => {
    const [one, two] = [await start(), await start()].map(
      (answer) => new URL(answer.headers.get('location') as string).searchParams,
    )
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one?.get(name)).not.toBe(two?.get(name))
    }
    expect(one?.get('code_challenge_method')).toBe('S256')
    expect(one?.get('redirect_uri')).toBe(callback)
  })

  it('takes a second factor here from who has one, after a provider too', async () => {
    const person = await makePerson()
    await prisma().totpSecret.create({
      data: { userId: person.id, sealed: Buffer.from('x'), confirmedAt: new Date() },
    })
    const answer = await signInThrough(person.id, '/account/apps')
    expect(answer.headers.get('location')).toBe('/login/verify?next=%2Faccount%2Fapps')
    expect(cookiesOf(answer)).toMatch(new RegExp(`^${secondStepCookieName()}=`))
    expect(await session(answer)).toBeUndefined()
  })

  it('takes an answer in the browser alone that asked, and for the sign-in that it began', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const person = await makePerson()
    const [mine, other] = [await start(), await start()]
    const address = await visitProvider(mine, person.id)
    for (const cookie of ['', cookiesOf(other), `${cookiesOf(mine)}x`.replace('=', '=A')]) {
      const answer = await finish(address, cookie)
      expect(answer.headers.get('location')).toBe('/login?error=failed')
      expect(cookiesOf(answer)).toBe('')
    }
    expect(warn).toHaveBeenCalled()
    const changed = new URL(address)
    changed.searchParams.set('state', 'another')
    expect((await finish(changed.href, cookiesOf(mine))).headers.get('location')).toBe('/login?error=failed')
    expect((await finish(address, cookiesOf(mine))).headers.get('location')).toBe('/')
  })

  it('is over after a quarter of an hour, also for who has kept the cookie', async () => {
    const begun = await start()
    const address = await visitProvider(begun, (await makePerson()).id)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15 * 60_000 + 1)
    expect((await finish(address, cookiesOf(begun))).headers.get('location')).toBe('/login?error=failed')
  })

  it('has a provider asked so often a minute for one address, however it is asked', async () => {
    const from = { 'x-forwarded-for': '192.0.2.77' }
    const form = { method: 'POST', headers: { ...from, origin: config().BASE_URL }, body: 'next=/' }
    const begin = () => startExternalSignIn(new Request(`${config().BASE_URL}/login/with/oidc`, form), 'oidc')
    const begun = await begin()
    for (let at = 0; at < 59; at++) expect((await begin()).status).toBe(303)
    const refused = await begin()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const back = new Request(`${callback}?code=x&state=y`, { headers: { ...from, cookie: cookiesOf(begun) } })
    const answer = await finishExternalSignIn(back, 'oidc')
    expect(answer.headers.get('location')).toBe('/login?error=too_many')
  })

  it('says that the person did not allow it, and where they were going', async () => {
    const begun = await start('/account/apps')
    const address = await visitProvider(begun, (await makePerson()).id, 'deny')
    const answer = await finish(address, cookiesOf(begun))
    expect(answer.headers.get('location')).toBe('/login?error=denied&next=%2Faccount%2Fapps')
  })

  it('refuses a suspended person', async () => {
    const there = await makePerson()
    const here = await makePerson({ suspendedAt: new Date() })
    await prisma().identity.create({ data: { provider: 'oidc', subject: there.id, userId: here.id } })
    const answer = await signInThrough(there.id)
    expect(answer.headers.get('location')).toBe('/login?error=refused')
  })

  it('is begun from our own pages alone, and leads to no other site', async () => {
    expect((await start('/', 'https://evil.example')).status).toBe(403)
    const answer = await signInThrough((await makePerson()).id, '//evil.example')
    expect(answer.headers.get('location')).toBe('/')
    expect((await start('/', config().BASE_URL, 'github')).headers.get('location')).toBe(
      '/login?error=provider',
    )
  })
})

describe('a provider’s metadata', () => {
  it('makes nothing of a slash at the end of the issuer', async () => {
    configure({ OIDC_ISSUER: `${provider.url}/oauth/` })
    expect((await start()).headers.get('location')).toMatch(new RegExp(`^${provider.url}/oauth/auth\\?`))
  })

  it('that names another issuer gets no code, and signs nobody in', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const asked: string[] = []
    const impostor = createServer((request, response) => {
      asked.push(request.url as string)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: `${provider.url}/oauth`, token_endpoint: `${url}/token` }))
    })
    await new Promise<void>((ready) => impostor.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    const begun = await start()
    const address = await visitProvider(begun, (await makePerson()).id)
    configure({ OIDC_ISSUER: url })
    expect((await finish(address, cookiesOf(begun))).headers.get('location')).toBe('/login?error=failed')
    expect((await start()).headers.get('location')).toBe('/login?error=provider')
    impostor.close()
    expect(new Set(asked)).toEqual(new Set(['/.well-known/openid-configuration']))
  })
})
