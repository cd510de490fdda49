import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { pushRequest } from '@/lib/testing/app-requests'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { openConsent } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import {
  authorize,
  authorizeUrl,
  codeGrant,
  newPkce,
  offline,
  pushedUrl,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { shortenLifetime } from '@/lib/testing/shorten-lifetime'
import { devicePolls, lastPolls } from '../store/poll-device-code'

const { owner, web, cli } = await startOAuthWorld()

describe('replicas whose clocks differ', () => {
  /**
   * Lets a replica whose clock is off by this many seconds answer the next requests. The database's clock is
   * correct.
   */
  const atReplica = (seconds: number) => {
    vi.useRealTimers()
    if (seconds !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  }
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The clock differences of the two replicas in a flow, in seconds. */
  const pairs: [first: number, second: number][] = [
    [0, 120],
    [120, 0],
    [0, -120],
    [-120, 0],
    [120, -120],
    [-120, 120],
  ]

  describe.each(pairs)('one of two replicas whose clocks are off by %i and %i seconds', (first, second) => {
    it('accepts a code that the other replica issued', async () => {
      atReplica(first)
      const { verifier, pkce } = newPkce()
      const code = (await authorize(owner.browser, cli, pkce)).get('code') as string
      atReplica(second)
      const fields = codeGrant(cli, code)
      const { status, body } = await requestToken(cli, { ...fields, code_verifier: verifier })
      expect([status, body.error]).toEqual([200, undefined])
      expect((await userinfo(body.access_token as string)).status).toBe(200)
      atReplica(first)
      expect((await userinfo(body.access_token as string)).status).toBe(200)
    })

    it('accepts a request that was pushed to the other replica', async () => {
      atReplica(first)
      const app = await owner.makeApp()
      const { body } = await pushRequest(app)
      atReplica(second)
      const page = await owner.browser.follow(pushedUrl(app, String(body.request_uri)))
      expect(page.status).toBe(200)
      atReplica(first)
      const answer = await owner.browser.submit(`${new URL(page.url).pathname}/decision`, [
        ['decision', 'authorize'],
      ])
      expect(answer.headers.get('location')).toContain('code=')
    })

    it('does not respond with slow_down to a device that polls both replicas in turn at the required interval', async () => {
      atReplica(first)
      const { body: device } = await beginDevice(web)
      const pages = await userAtDevicePages(owner.user.id)
      expect((await pollDevice(web, device.device_code as string)).body.error).toBe('authorization_pending')
      await devicePolls.now()
      lastPolls().clear()
      // Simulate the passage of five seconds, because the devices of this test cannot wait.
      const hash = new Uint8Array(hashCredential(device.device_code as string))
      const row = await prisma().oAuthArtifact.findUniqueOrThrow({ where: { hash } })
      const payload = row.payload as { polledAt: number }
      await prisma().oAuthArtifact.update({
        where: { hash },
        data: { payload: { ...payload, polledAt: payload.polledAt - 5000 } },
      })
      atReplica(second)
      expect((await pollDevice(web, device.device_code as string)).body.error).toBe('authorization_pending')
      await pages.decide(device.user_code as string, 'authorize')
      atReplica(first)
      expect((await pollDevice(web, device.device_code as string)).status).toBe(200)
    })

    it('does not treat a repeated refresh as reuse', async () => {
      const { body } = await signInToApp(owner.browser, cli, offline)
      atReplica(first)
      const renewed = await refresh(cli, body.refresh_token as string)
      expect(renewed.status).toBe(200)
      atReplica(second)
      const again = await refresh(cli, body.refresh_token as string)
      expect(again.body).toEqual(renewed.body)
    })

    it('accepts only a new sign-in if the app requires one', async () => {
      atReplica(first)
      const app = await owner.makeApp()
      const browser = await signedInBrowser(owner.user.id)
      const login = await browser.follow(authorizeUrl(app, { prompt: 'login' }))
      const next = new URL(login.headers.get('location') as string, login.url).searchParams.get(
        'next',
      ) as string
      // The earlier sign-in does not count, even if the clock says that it is newer.
      atReplica(second)
      expect((await browser.follow(next)).headers.get('location')).toContain('/login')
      ;(await signedInBrowser(owner.user.id)).lendSession(browser)
      const page = await browser.follow(next)
      atReplica(first)
      const answer = await browser.submit(`${new URL(page.url).pathname}/decision`, [
        ['decision', 'authorize'],
      ])
      expect(answer.headers.get('location')).toContain('code=')
    })
  })

  describe('a code', () => {
    const redeem = async (secondsLater: number) => {
      const app = await owner.makeApp()
      const code = (await authorize(owner.browser, app)).get('code') as string
      await shortenLifetime(code, secondsLater)
      return requestToken(app, codeGrant(app, code))
    }

    it.each([0, -120, 120])(
      'is valid after 50 seconds but not after 61 at a replica whose clock is off by %i seconds',
      async (off) => {
        atReplica(off)
        expect((await redeem(50)).status).toBe(200)
        const late = await redeem(61)
        expect(late.body).toMatchObject({
          error: 'invalid_grant',
          error_description: 'the authorization code has expired: codes are valid for 60 seconds',
        })
      },
    )
  })

  it('answer prompt=none with login_required in a browser that is not signed in', async () => {
    atReplica(120)
    const answer = await new TestBrowser().follow(authorizeUrl(web, { prompt: 'none' }))
    expect(answer.headers.get('location')).toContain('login_required')
  })
})

describe('replicas whose keys differ', () => {
  // During a rolling change of SECRET_KEY, all replicas have both keys, but in different order.
  const keys = [String(process.env.SECRET_KEY), 'b81f4e6d0c93a752f5e82d7b164c0a39'] as const

  /** Lets a replica that has this key first answer the next requests. */
  function at(replica: 'before' | 'after'): void {
    const [first, second] = replica === 'before' ? keys : keys.toReversed()
    Object.assign(process.env, { SECRET_KEY: first, SECRET_KEY_PREVIOUS: second })
    resetConfig()
  }
  beforeEach(() => at('before'))
  afterAll(() => {
    Object.assign(process.env, { SECRET_KEY: keys[0] })
    delete process.env.SECRET_KEY_PREVIOUS
    resetConfig()
  })

  async function redeemed(app: TestApp, answer: Response): Promise<number | string> {
    const code = new URL(answer.headers.get('location') ?? '', config().BASE_URL).searchParams.get('code')
    if (!code) return `${answer.status}: ${await answer.text()}`
    const fields = codeGrant(app, code)
    return (await requestToken(app, fields)).status
  }

  /** Submits the consent form. @returns the next URL, which another replica can answer */
  async function allow({ browser }: Owner, page: string): Promise<string> {
    const answer = await browser.request(`${page}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: config().BASE_URL },
      body: 'decision=authorize',
    })
    return answer.headers.get('location') as string
  }

  const replicas = ['before', 'after'] as const
  const ways = replicas.flatMap((begun) =>
    replicas.flatMap((allowed) => replicas.map((resumed) => ({ begun, allowed, resumed }))),
  )

  it.each(ways)(
    'return a code if a request starts at replica “$begun”, is allowed at “$allowed”, and resumes at “$resumed”',
    async (way) => {
      const owner = await makeOwner()
      const app = await owner.makeApp()
      at(way.begun)
      const page = await openConsent(owner.browser, app)
      at(way.allowed)
      const on = await allow(owner, page)
      at(way.resumed)
      expect(await redeemed(app, await owner.browser.follow(on))).toBe(200)
    },
  )

  it('complete parallel requests from one browser', async () => {
    const owner = await makeOwner()
    const apps = [await owner.makeApp(), await owner.makeApp(), await owner.makeApp()]
    const pages: string[] = []
    for (const [i, app] of apps.entries()) {
      at(replicas[i % 2] as 'before')
      // Parallel requests of a browser do not have the cookies that the other responses set.
      owner.browser.dropCookies(/^latchkey_oauth/)
      pages.push(await openConsent(owner.browser, app))
    }
    for (const [i, app] of apps.entries()) {
      at(replicas[(i + 1) % 2] as 'before')
      const on = await allow(owner, pages[i] as string)
      expect(await redeemed(app, await owner.browser.follow(on))).toBe(200)
    }
  })

  it('require a new sign-in even if another replica received the request', async () => {
    const owner = await makeOwner()
    const app = await owner.makeApp()
    const browser = owner.browser
    at('before')
    const first = await browser.request(authorizeUrl(app, { prompt: 'login' }))
    at('after')
    const asked = await browser.follow(first.headers.get('location') as string)
    expect(new URL(asked.headers.get('location') as string, config().BASE_URL).pathname).toBe('/login')
  })
})
