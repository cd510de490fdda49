import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { authorize, authorizeUrl, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web, cli } = await startOAuthWorld()

describe('pushed authorization requests', () => {
  const push = async (app: TestApp, params: Record<string, string> = {}) => {
    const response = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: app.clientId,
        ...(app.secret ? { client_secret: app.secret } : {}),
        redirect_uri: app.redirectUri,
        response_type: 'code',
        scope: 'openid',
        state: 'pushed',
        ...params,
      }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const open = (app: TestApp, request_uri: string) => {
    const url = new URL('/oauth/auth', config().BASE_URL)
    url.search = new URLSearchParams({ client_id: app.clientId, request_uri }).toString()
    return owner.browser.follow(url.href)
  }

  it.each(['with its secret', 'with its client_id alone'])('are taken from a web app %s', async (how) => {
    const app = how.includes('alone') ? { ...web, secret: undefined } : web
    await authorize(owner.browser, web)
    const { status, body } = await push(app)
    expect(status).toBe(201)
    expect(body.request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:/)
    expect(body.expires_in).toBe(60)
    const answer = new URL((await open(web, body.request_uri as string)).headers.get('location') as string)
    expect(answer.searchParams.get('code')).toBeTruthy()
    expect(answer.searchParams.get('state')).toBe('pushed')
    const again = await open(web, body.request_uri as string)
    expect(again.headers.get('location') ?? (await again.text())).toMatch(/invalid_request_uri/)
  })

  it('check credentials that are sent', async () => {
    const { status, body } = await push({ ...web, secret: 'wrong' })
    expect([status, body.error]).toEqual([400, 'invalid_client'])
    expect((await push({ ...cli, secret: 'any' })).body.error).toBe('invalid_client')
  })

  it('are checked like any request', async () => {
    expect((await push(cli)).body.error).toBe('invalid_request')
    expect((await push(web, { redirect_uri: 'https://evil.example/' })).body.error).toBe('invalid_request')
    expect((await push(web, { scope: 'email' })).body.error).toBe('invalid_scope')
    expect((await push(web, { scope: 'openid,email' })).body.error_description).toContain('not commas')
    expect((await push(web, { scope: ' openid  email ' })).status).toBe(201)
  })

  it('may be demanded by an app, which then must authenticate', async () => {
    const app = await owner.makeApp()
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { requirePushedAuthorization: true },
    })
    const direct = new URL((await owner.browser.request(authorizeUrl(app))).headers.get('location') as string)
    expect(direct.searchParams.get('error')).toBe('invalid_request')
    expect((await push({ ...app, secret: undefined })).body.error).toBe('invalid_client')
    expect((await push(app)).status).toBe(201)
  })
})
