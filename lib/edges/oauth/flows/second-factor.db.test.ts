import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeWorkspace } from '@/lib/testing/factories'
import { outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import { authorizeUrl, offline, refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()
const { person } = owner

const demandOf = (of: string) => setChangedSettings({ SECOND_FACTOR: of })
beforeEach(() => demandOf('nobody'))
afterEach(() => setChangedSettings({}))

const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

async function ask(token: string, query = '{ me { id } }') {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
  return [response.status, errors?.[0]?.extensions.code]
}

/** Each way in to an app, for a browser that is signed in already; whether it gets there. */
const doors: [string, (browser: Awaited<ReturnType<typeof signedInBrowser>>) => Promise<boolean>][] = [
  ['the consent page', async (browser) => (await outcome(browser, web, { prompt: 'consent' })) === 'consent'],
  ['a consent that stands', async (browser) => (await outcome(browser, web)) === 'code'],
  [
    'a sign-in without a page',
    async (browser) => (await outcome(browser, web, { prompt: 'none' })) === 'code',
  ],
  ['a native app', async (browser) => (await outcome(browser, cli, pkce)) === 'consent'],
]

describe('a second factor that is demanded', () => {
  it.each(doors)(
    'of everybody closes %s to a session without, one from before included',
    async (_name, gets) => {
      const before = await signedInBrowser(person.id)
      await signInToApp(before, web, { prompt: 'consent' })
      const strong = await signedInBrowser(person.id, ['pwd', 'otp', 'mfa'])
      for (const [of, weakGetsIn] of [
        ['nobody', true],
        ['operators', true],
        ['everybody', false],
        ['nobody', true],
      ] as const) {
        demandOf(of)
        expect(await gets(before)).toBe(weakGetsIn)
        expect(await gets(strong)).toBe(true)
      }
    },
  )

  it('of everybody has an app without a page told that the person has to sign in', async () => {
    const browser = await signedInBrowser(person.id)
    demandOf('everybody')
    expect(await outcome(browser, web, { prompt: 'none' })).toBe('login_required')
    expect(await outcome(browser, web)).toBe('login')
  })

  it('of everybody keeps a consent that was open from being given', async () => {
    const browser = await signedInBrowser(person.id)
    const page = await browser.follow(authorizeUrl(web, { prompt: 'consent' }))
    demandOf('everybody')
    const path = new URL(page.url).pathname
    const answer = await browser.submit(`${path}/decision`, [['decision', 'authorize']])
    expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`)
  })

  it('of everybody keeps a device from being let in, and it waits on', async () => {
    const { body } = await beginDevice(cli)
    const pages = await personAtDevicePages(person.id)
    demandOf('everybody')
    const to = await pages.decide(body.user_code as string, 'authorize')
    expect(to.get('next')).toMatch(/^\/device\/confirm\?request=/)
    expect((await pollDevice(cli, body.device_code as string)).body.error).toBe('authorization_pending')
  })

  it('of everybody is asked of each kind of token by the session it comes from, with a code of its own', async () => {
    const workspace = await makeWorkspace([[person, 'ADMIN']])
    const made = async (twoFactor: boolean) => [
      (await makeApiToken(person, { twoFactor })).token,
      (await makeApiToken(person, { workspace, twoFactor })).token,
      (await makeAccessToken(person, ['profile'], { twoFactor })).token,
    ]
    const [weak, strong] = [await made(false), await made(true)]
    demandOf('operators')
    for (const token of weak) expect((await ask(token, '{ __typename }'))[1]).toBeUndefined()
    demandOf('everybody')
    for (const token of strong) expect((await ask(token, '{ __typename }'))[1]).toBeUndefined()
    for (const token of weak) {
      expect(await ask(token, '{ __typename }')).toEqual([200, 'SECOND_FACTOR_REQUIRED'])
      const tools = await fetch(new URL('/mcp', config().BASE_URL), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      expect(tools.status).toBe(403)
    }
    expect(await ask('lk_nothing')).toEqual([200, 'UNAUTHENTICATED'])
  })

  it('of everybody is not got round by renewing a token of before', async () => {
    const { body } = await signInToApp(await signedInBrowser(person.id), cli, offline)
    demandOf('everybody')
    const renewed = await refresh(cli, body.refresh_token as string)
    expect(await ask(String(renewed.body.access_token))).toEqual([200, 'SECOND_FACTOR_REQUIRED'])
  })

  it('leaves the way out: an app’s sign-out ends the session', async () => {
    const browser = await signedInBrowser(person.id)
    const after = 'https://app.example.test/bye'
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: { postLogoutRedirectUris: [after], version: { increment: 1 } },
    })
    const { body } = await signInToApp(browser, web, { prompt: 'consent' })
    demandOf('everybody')
    const query = { id_token_hint: body.id_token as string, post_logout_redirect_uri: after }
    const done = await browser.request(`/oauth/session/end?${new URLSearchParams(query)}`)
    expect(done.headers.get('location')).toBe(after)
    demandOf('nobody')
    expect(await outcome(browser, web)).toBe('login')
  })
})
