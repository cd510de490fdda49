import { describe, expect, it } from 'vitest'
import { authorizeUrl, requestToken, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web, cli } = await startOAuthWorld()

describe('requests from pages of other origins', () => {
  const preflight = (path: string) =>
    server.fetch(path, {
      method: 'OPTIONS',
      headers: { origin: 'http://127.0.0.1:6274', 'access-control-request-method': 'POST' },
    })
  const tokenFrom = (origin: string, app: TestApp) =>
    requestToken(app, { grant_type: 'refresh_token', refresh_token: 'x' }, { origin })

  it('may reach the token endpoint for a public client of that origin, at any loopback port', async () => {
    expect((await preflight('/oauth/token')).status).toBe(204)
    const own = await tokenFrom('http://127.0.0.1:6274', cli)
    expect([own.body.error, own.headers.get('access-control-allow-origin')]).toEqual([
      'invalid_grant',
      'http://127.0.0.1:6274',
    ])
  })

  it('may not for any other origin, nor for a confidential client, nor from nowhere', async () => {
    for (const [origin, app] of [
      ['https://evil.example', cli],
      ['null', cli],
      ['https://app.example.test', web],
    ] as [string, TestApp][]) {
      const answer = await tokenFrom(origin, app)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('may not read the authorization endpoint or the sign-out', async () => {
    const headers = { origin: 'http://127.0.0.1:6274' }
    for (const path of [authorizeUrl(cli, { prompt: 'none' }), authorizeUrl(web), '/oauth/session/end']) {
      const { headers: answered } = await owner.browser.request(path, { headers })
      expect(answered.get('access-control-allow-origin'), path).toBeNull()
      const asked = await preflight(path)
      expect(asked.headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  it('may read claims with a token', async () => {
    const { body } = await signInToApp(owner.browser, web)
    const response = await server.fetch('/oauth/me', {
      headers: { origin: 'https://app.example.test', authorization: `Bearer ${body.access_token}` },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.test')
  })
})
