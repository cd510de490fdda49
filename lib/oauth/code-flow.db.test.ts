import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '@/lib/testing/oauth-browser'
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
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeApp, makePerson, signInAs } from '@/lib/testing/oauth-world'

type Person = Awaited<ReturnType<typeof makePerson>>
let server: { close: () => Promise<void> }
let ada: Person
let web: { clientId: string; secret?: string; redirectUri: string }
let native: { clientId: string; redirectUri: string }

beforeAll(async () => {
  server = await startOAuthServer()
  ada = await makePerson('Ada')
  const redirectUri = 'https://app.example.com/callback'
  web = { ...(await makeApp(ada.workspaceId, 'WEB', [redirectUri])), redirectUri } as typeof web
  const loopback = 'http://127.0.0.1:7777/callback'
  native = {
    clientId: (await makeApp(ada.workspaceId, 'NATIVE', [loopback])).clientId,
    redirectUri: loopback,
  }
})
afterAll(() => server.close())

const browserOf = async (person: Person) => new TestBrowser(await signInAs(person.id))

describe('authorization code flow', () => {
  it('signs a person in to a web app', async () => {
    const tokens = await signInToApp(await browserOf(ada), web, { scope: 'openid email profile' })
    expect(tokens.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email profile',
    })
    expect(tokens.status).toBe(200)
    expect(tokens.body.refresh_token).toBeUndefined()
    expect(await userinfo(tokens.body.access_token as string)).toEqual({
      status: 200,
      body: { sub: ada.id, email: 'ada@example.com', email_verified: true, name: 'Ada' },
    })
  })
})
