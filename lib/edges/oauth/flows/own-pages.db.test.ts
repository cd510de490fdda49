import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { authorizeUrl, signInToApp } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web } = await startOAuthWorld()

/** Every page that is the body of an OAuth answer is the product's own, with its policy, and kept by nobody. */
const after = 'https://app.example.test/bye'

beforeAll(async () => {
  await prisma().oAuthClient.update({
    where: { id: web.clientId },
    data: { postLogoutRedirectUris: [after] },
  })
})

const html = { headers: { accept: 'text/html' } }

async function expectOwnPage(response: Response): Promise<string> {
  const text = await response.text()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('content-security-policy')).toContain("font-src 'self'")
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(text).toContain(`Secured by ${config().SERVICE_NAME}`)
  return text
}

describe('a logout when nobody is signed in', () => {
  it('ends on our page', async () => {
    const first = await server.fetch('/oauth/session/end', html)
    expect(first.status).toBe(302)
    const page = await server.fetch(first.headers.get('location') as string, html)
    expect(page.status).toBe(200)
    expect(await expectOwnPage(page)).toContain('You’re signed out')
  })

  it('returns to the app’s registered address, with the state', async () => {
    const { body } = await signInToApp(owner.browser, web)
    for (const [name, value] of [
      ['client_id', web.clientId],
      ['id_token_hint', body.id_token as string],
    ] as const) {
      const query = new URLSearchParams({ [name]: value, post_logout_redirect_uri: after, state: 'a b&c' })
      const response = await server.fetch(`/oauth/session/end?${query}`, html)
      expect([response.status, response.headers.get('location')]).toEqual([302, `${after}?state=a+b%26c`])
    }
  })

  it('returns nowhere else', async () => {
    const evil = 'https://evil.example/'
    const unregistered = new URLSearchParams({ client_id: web.clientId, post_logout_redirect_uri: evil })
    expect((await server.fetch(`/oauth/session/end?${unregistered}`, html)).status).toBe(400)
    const unnamed = await server.fetch(`/oauth/session/end?post_logout_redirect_uri=${evil}`, html)
    expect(unnamed.headers.get('location')).toBe(`${config().BASE_URL}/oauth/session/end/success`)
  })
})

describe('response_mode=form_post', () => {
  const post = (params: Record<string, string>) =>
    owner.browser.follow(authorizeUrl(web, { response_mode: 'form_post', ...params }), html)
  const field = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]

  it('posts the code and the state to the app, from our page', async () => {
    await signInToApp(owner.browser, web)
    const response = await post({ state: '"><script>alert(1)</script>' })
    expect(response.status).toBe(200)
    const page = await expectOwnPage(response)
    expect(page).toContain(`<form method="post" action="${web.redirectUri}">`)
    expect(field(page, 'code')).toMatch(/^lk_ac_/)
    expect(field(page, 'iss')).toBe(`${config().BASE_URL}/oauth`)
    expect(page).not.toContain('<script>alert')
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
    const digest = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)),
    ).toString('base64')
    expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`)
  })

  it('posts an error in the same way', async () => {
    const response = await post({ scope: 'email' })
    expect(response.status).toBe(400)
    expect(field(await expectOwnPage(response), 'error')).toBe('invalid_scope')
  })
})

it('says so on our page when another person signed in before the way back', async () => {
  const [first, second] = [await makeOwner(), await makeOwner()]
  const app = await first.makeApp()
  const start = await first.browser.request(authorizeUrl(app), html)
  const uid = (start.headers.get('location') as string).split('/').at(-1)
  const decided = await first.browser.request(`/interaction/${uid}/decision`, {
    method: 'POST',
    headers: { origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'decision=authorize',
  })
  second.browser.lendSession(first.browser)
  const back = await first.browser.request(decided.headers.get('location') as string, html)
  expect(back.status).toBe(400)
  await expectOwnPage(back)
})
