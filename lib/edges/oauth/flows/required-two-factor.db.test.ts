import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { makeApi, requestFor } from '@/lib/testing/api-world'
import { introspect } from '@/lib/testing/app-requests'
import type { TestBrowser } from '@/lib/testing/oauth-browser'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, startProviders } from '@/lib/testing/sso-world'

/** The OAuth endpoints of an instance that requires two-factor authentication of all users. */
const { owner, web } = await startOAuthWorld()
const providers = await startProviders()
afterAll(() => providers.close())
afterEach(() => setChangedSettings({}))

async function issueTokens(browser: TestBrowser) {
  const api = await makeApi({ tokenFormat: 'JWT', scopes: [{ selects: 'NOTHING' }] })
  const next = await makeApi({ tokenFormat: 'JWT', scopes: [{ selects: 'NOTHING' }] })
  await signInToApp(browser, web, requestFor(next))
  const forApi = await signInToApp(browser, web, { ...requestFor(api, 'offline_access'), prompt: 'consent' })
  const own = await signInToApp(browser, web, { ...offline, scope: 'openid email offline_access' })
  const [accessToken, refreshToken] = [String(own.body.access_token), String(own.body.refresh_token)]
  return async () => ({
    userinfo: (await userinfo(accessToken)).status,
    introspection: (await introspect(web, accessToken)).active,
    refresh: (await refresh(web, refreshToken)).status,
    introspectionByApi: (await api.see(String(forApi.body.access_token))).active,
    exchange: (await api.exchange(String(forApi.body.access_token), next)).status,
    refreshForApi: (await refresh(web, String(forApi.body.refresh_token))).status,
  })
}
const accepted = {
  userinfo: 200,
  introspection: true,
  refresh: 200,
  introspectionByApi: true,
  exchange: 200,
  refreshForApi: 200,
}
const rejected = {
  userinfo: 401,
  introspection: false,
  refresh: 400,
  introspectionByApi: false,
  exchange: 400,
  refreshForApi: 400,
}

describe('a token of an app', () => {
  it('from a sign-in with one factor stops working at every endpoint while two-factor authentication is required of all users', async () => {
    const read = await issueTokens(owner.browser)
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(await read()).toEqual(rejected)
    setChangedSettings({ requireTwoFactor: 'instance-admins' })
    expect(await read()).toEqual(accepted)
  })

  it('keeps working if the user signed in with two factors', async () => {
    const read = await issueTokens(await signedInBrowser(owner.user.id, ['pwd', 'otp', 'mfa']))
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(await read()).toEqual(accepted)
  })

  it('stops working if it is SSO-managed and the identity provider reported one factor', async () => {
    const sso = await makeSsoWorkspace(await providers.make(), owner)
    const issue = async (amr: string[]) =>
      String((await sso.redeem(await sso.assertion({ resource: undefined, amr }))).body.access_token)
    const [one, two] = [await issue(['pwd']), await issue(['pwd', 'mfa'])]
    expect((await introspect(sso.app, one)).active).toBe(true)
    setChangedSettings({ requireTwoFactor: 'all' })
    expect((await introspect(sso.app, one)).active).toBe(false)
    expect((await introspect(sso.app, two)).active).toBe(true)
  })
})
