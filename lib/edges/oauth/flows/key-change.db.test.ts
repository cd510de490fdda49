import { afterEach, expect, it } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { openConsent } from '@/lib/testing/oauth-consent'
import { authorizeUrl, requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, startOAuthWorld } from '@/lib/testing/oauth-world'

// A rolling change of SECRET_KEY: the replicas know both keys, and which of them comes first differs.
const keys = [String(process.env.SECRET_KEY), 'b81f4e6d0c93a752f5e82d7b164c0a39'] as const
process.env.SECRET_KEY_PREVIOUS = keys[1]
resetConfig()

await startOAuthWorld()

/** What comes next is answered by a replica whose first key is this one. */
function at(replica: 'before' | 'after'): void {
  const [first, second] = replica === 'before' ? keys : keys.toReversed()
  Object.assign(process.env, { SECRET_KEY: first, SECRET_KEY_PREVIOUS: second })
  resetConfig()
}
afterEach(() => at('before'))

async function redeemed(app: TestApp, answer: Response): Promise<number | string> {
  const code = new URL(answer.headers.get('location') ?? '', config().BASE_URL).searchParams.get('code')
  if (!code) return `${answer.status}: ${await answer.text()}`
  const fields = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri }
  return (await requestToken(app, fields)).status
}

/** Presses the button. @returns where that leads, which another replica may be asked for */
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

it.each(ways)('a request begun at $begun and allowed at $allowed ends in a code at $resumed', async (way) => {
  const owner = await makeOwner()
  const app = await owner.makeApp()
  at(way.begun)
  const page = await openConsent(owner.browser, app)
  at(way.allowed)
  const on = await allow(owner, page)
  at(way.resumed)
  expect(await redeemed(app, await owner.browser.follow(on))).toBe(200)
})

it('requests begun at several replicas in one browser all end in a code', async () => {
  const owner = await makeOwner()
  const apps = [await owner.makeApp(), await owner.makeApp(), await owner.makeApp()]
  const pages: string[] = []
  for (const [i, app] of apps.entries()) {
    at(replicas[i % 2] as 'before')
    // A browser that asks several at once brings none of them what another's answer will set.
    owner.browser.dropCookies(/^latchkey_oauth/)
    pages.push(await openConsent(owner.browser, app))
  }
  for (const [i, app] of apps.entries()) {
    at(replicas[(i + 1) % 2] as 'before')
    const on = await allow(owner, pages[i] as string)
    expect(await redeemed(app, await owner.browser.follow(on))).toBe(200)
  }
})

it('whoever has to sign in again has to, at every replica', async () => {
  const owner = await makeOwner()
  const app = await owner.makeApp()
  const browser = owner.browser
  at('before')
  const first = await browser.request(authorizeUrl(app, { prompt: 'login' }))
  at('after')
  const asked = await browser.follow(first.headers.get('location') as string)
  expect(new URL(asked.headers.get('location') as string, config().BASE_URL).pathname).toBe('/login')
})
