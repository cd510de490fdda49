import { afterEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { pageAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import type { SessionActor } from '@/lib/policy/actor'
import { allScopes } from '@/lib/policy/scopes'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import { offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/** What apps that registered themselves may get, as the operator says it for all of them. */
const { server, owner, web } = await startOAuthWorld()
const { browser, person, workspace } = owner
const workspaces = [workspace.id]
const everything = allScopes.join(' ')

const allow = (scopes: string) => setChangedSettings({ REGISTERED_APP_SCOPES: scopes })
afterEach(() => setChangedSettings({}))

const metadata = {
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  token_endpoint_auth_method: 'none',
}

async function register(more: object = {}) {
  const response = await server.fetch('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...metadata, ...more }),
  })
  const body = (await response.json()) as Record<string, string>
  const app: TestApp = { clientId: body.client_id as string, redirectUri: 'http://127.0.0.1:7777/callback' }
  return { body, app }
}

const codeOf = async (token: string, query: string) => {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
  return errors?.[0]?.extensions.code
}

describe('the scopes that an app which registered itself may get', () => {
  it('are all it gets, by a browser and by a device, whatever it asks for', async () => {
    allow('email,workspace:viewer')
    const { app } = await register()
    const asked = { scope: everything, prompt: 'consent' }
    const got = 'openid email workspace:viewer'
    expect((await signInToApp(browser, app, asked, { workspaces })).body.scope).toBe(got)
    const { body } = await beginDevice(app, { scope: everything })
    const pages = await personAtDevicePages(person.id)
    await pages.decide(String(body.user_code), 'authorize', [['workspace', workspace.id]])
    expect((await pollDevice(app, String(body.device_code))).body.scope).toBe(got)
  })

  it('count at the next request for what was granted before, and again when they are more', async () => {
    const { app } = await register()
    const scope = 'openid email profile offline_access workspace:member'
    const { body } = await signInToApp(browser, app, { ...offline, scope }, { workspaces })
    const token = String(body.access_token)
    const rename = `mutation { workspaceUpdate(id: "${workspace.id}", input: { name: "Named" }) { id } }`
    const read = `{ workspace(workspaceId: "${workspace.id}") { name } }`
    expect([await codeOf(token, read), await codeOf(token, rename)]).toEqual([
      undefined,
      'INSUFFICIENT_SCOPE',
    ])

    allow('profile,offline_access,project:admin')
    expect(await codeOf(token, read)).toBe('INSUFFICIENT_SCOPE')
    expect(await codeOf(token, '{ me { email } }')).toBe('INSUFFICIENT_SCOPE')
    expect((await userinfo(token)).body).not.toHaveProperty('email')
    const renewed = (await refresh(app, String(body.refresh_token))).body
    expect(renewed.scope).toBe('openid profile offline_access')
    const actor: SessionActor = { kind: 'session', userId: person.id, sessionId: '', instanceAdmin: false }
    const page = { limit: 50, backward: false, after: null, before: null }
    const listed = (await pageAuthorizations(actor, page)).rows.find((row) => row.app.id === app.clientId)
    expect(listed?.scopes).toEqual(['openid', 'profile', 'offline_access'])

    setChangedSettings({})
    expect(await codeOf(token, read)).toBeUndefined()
  })

  it('are no more for what it says of itself, in its registration or its request', async () => {
    allow('email')
    const { body, app } = await register({ scope: everything })
    expect(body.scope).toBe('openid email')
    expect((await signInToApp(browser, app, { scope: everything })).body.scope).toBe('openid email')
  })

  it('are said to agents where they look, and left unsaid where everything is allowed', async () => {
    const offered = async () => {
      const response = await server.fetch('/.well-known/oauth-protected-resource/graphql/v2')
      return ((await response.json()) as { scopes_supported: string[] }).scopes_supported
    }
    expect(await offered()).toContain('project:member')
    expect((await register()).body).not.toHaveProperty('scope')
    allow('email,workspace:admin,offline_access')
    expect(await offered()).toEqual(['openid', 'email', 'workspace:member', 'workspace:viewer'])
  })

  it('are no bound for an app of a workspace', async () => {
    allow('email')
    const { body } = await signInToApp(browser, web, { scope: 'openid profile', prompt: 'consent' })
    expect(body.scope).toBe('openid profile')
  })
})
