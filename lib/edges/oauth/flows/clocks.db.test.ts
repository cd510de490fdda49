import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { endSooner } from '@/lib/testing/end-sooner'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import {
  authorize,
  authorizeUrl,
  challengeOf,
  newVerifier,
  offline,
  refresh,
  requestToken,
  signInToApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { devicePolls, lastPolls } from '../store/poll-device-code'

const { owner, web, cli, server } = await startOAuthWorld()

/** From now on requests are answered by a replica whose clock is wrong by so many seconds; the database's is right. */
const atReplica = (seconds: number) => {
  vi.useRealTimers()
  if (seconds !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}
afterEach(() => {
  vi.useRealTimers()
})

/** Which clocks the replicas have that a flow meets, one after the other. */
const pairs: [first: number, second: number][] = [
  [0, 120],
  [120, 0],
  [0, -120],
  [-120, 0],
  [120, -120],
  [-120, 120],
]

describe.each(pairs)('with replicas whose clocks are off by %i and %i seconds', (first, second) => {
  it('a code of the one is good at the other', async () => {
    atReplica(first)
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = (await authorize(owner.browser, cli, pkce)).get('code') as string
    atReplica(second)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: cli.redirectUri }
    const { status, body } = await requestToken(cli, { ...fields, code_verifier: verifier })
    expect([status, body.error]).toEqual([200, undefined])
    expect((await userinfo(body.access_token as string)).status).toBe(200)
    atReplica(first)
    expect((await userinfo(body.access_token as string)).status).toBe(200)
  })

  it('a pushed request of the one is taken by the other', async () => {
    atReplica(first)
    const app = await owner.makeApp()
    const pushed = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: app.clientId,
        client_secret: app.secret as string,
        redirect_uri: app.redirectUri,
        response_type: 'code',
        scope: 'openid',
      }),
    })
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    atReplica(second)
    const url = new URL(authorizeUrl(app))
    url.search = new URLSearchParams({ client_id: app.clientId, request_uri }).toString()
    const page = await owner.browser.follow(url.href)
    expect(page.status).toBe(200)
    atReplica(first)
    const answer = await owner.browser.submit(`${new URL(page.url).pathname}/decision`, [
      ['decision', 'authorize'],
    ])
    expect(answer.headers.get('location')).toContain('code=')
  })

  it('a device that asks them in turn is told to wait, and gets its tokens', async () => {
    atReplica(first)
    const { body: device } = await beginDevice(web)
    const pages = await personAtDevicePages(owner.person.id)
    expect((await pollDevice(web, device.device_code as string)).body.error).toBe('authorization_pending')
    await devicePolls.now()
    lastPolls().clear()
    // Five seconds later, as the devices of this test cannot wait.
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

  it('a refresh that is repeated is no theft', async () => {
    const { body } = await signInToApp(owner.browser, cli, offline)
    atReplica(first)
    const renewed = await refresh(cli, body.refresh_token as string)
    expect(renewed.status).toBe(200)
    atReplica(second)
    const again = await refresh(cli, body.refresh_token as string)
    expect(again.body).toEqual(renewed.body)
  })

  it('a sign-in that an app wants anew is known as one', async () => {
    atReplica(first)
    const app = await owner.makeApp()
    const browser = await signedInBrowser(owner.person.id)
    const login = await browser.follow(authorizeUrl(app, { prompt: 'login' }))
    const next = new URL(login.headers.get('location') as string, login.url).searchParams.get(
      'next',
    ) as string
    // The sign-in that was there before is none, whatever the clocks say.
    atReplica(second)
    expect((await browser.follow(next)).headers.get('location')).toContain('/login')
    ;(await signedInBrowser(owner.person.id)).lendSession(browser)
    const page = await browser.follow(next)
    atReplica(first)
    const answer = await browser.submit(`${new URL(page.url).pathname}/decision`, [['decision', 'authorize']])
    expect(answer.headers.get('location')).toContain('code=')
  })
})

describe('a code', () => {
  const redeem = async (secondsLater: number) => {
    const app = await owner.makeApp()
    const code = (await authorize(owner.browser, app)).get('code') as string
    await endSooner(code, secondsLater)
    return requestToken(app, { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri })
  }

  it.each([0, -120, 120])(
    'lives for its minute and no longer at a replica that is off by %i seconds',
    async (off) => {
      atReplica(off)
      expect((await redeem(50)).status).toBe(200)
      const late = await redeem(61)
      expect(late.body).toMatchObject({
        error: 'invalid_grant',
        error_description: 'the authorization code has expired: it is good for 60 seconds',
      })
    },
  )
})

it('prompt=none in another browser is not helped by a wrong clock', async () => {
  atReplica(120)
  const answer = await new TestBrowser().follow(authorizeUrl(web, { prompt: 'none' }))
  expect(answer.headers.get('location')).toContain('login_required')
})
