import { createRemoteJWKSet, importJWK, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApi } from '@/lib/features/resources/change-apis'
import { makeApi, makeApiAdmin, requestFor, revokeAs, type TestApi } from '@/lib/testing/api-world'
import { introspect } from '@/lib/testing/app-requests'
import { sessionOf } from '@/lib/testing/installation-world'
import { refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { sendRaw } from '@/lib/testing/raw-request'

/** Introspection by APIs, and the changes that make their tokens inactive. */
const { server, owner, web } = await startOAuthWorld()

/** Signs in to an app, which requests access to an API. @returns an access token and a refresh token */
async function tokens(api: TestApi, who = owner, app = web) {
  const request = { ...requestFor(api, 'offline_access'), prompt: 'consent' }
  const { body } = await signInToApp(who.browser, app, request, { projects: [who.project.id] })
  return { access: String(body.access_token), refresh: String(body.refresh_token) }
}

const both = async () => [await makeApi(), await makeApi({ tokenFormat: 'JWT' })]

describe('the introspection endpoint for APIs', () => {
  it('rejects unknown APIs, wrong secrets, and secrets of other APIs', async () => {
    const [api, other] = [await makeApi(), await makeApi()]
    const { access } = await tokens(api)
    const ask = async (id: string, secret: string) => {
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      const answer = await api.ask(access, { headers: { authorization } })
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }
    const wrong = [401, 'invalid_client']
    expect(await ask(api.id, mintCredential('apiSecret'))).toEqual(wrong)
    expect(await ask(api.id, other.secret)).toEqual(wrong)
    expect(await ask('nothing', api.secret)).toEqual(wrong)
    expect(await ask(`${api.id}\0`, api.secret)).toEqual(wrong)
    expect(await ask(api.id, 'secret')).toEqual(wrong)
    expect(await ask(web.clientId, api.secret)).toEqual(wrong)
    const posted = await server.fetch('/oauth/token/introspection', {
      method: 'POST',
      body: new URLSearchParams({ client_id: api.id, client_secret: other.secret, token: access }),
    })
    expect(posted.status).toBe(400)
  })

  it('accepts the API’s secret in the form body', async () => {
    const api = await makeApi()
    const { access } = await tokens(api)
    const answer = await server.fetch('/oauth/token/introspection', {
      method: 'POST',
      body: new URLSearchParams({ client_id: api.id, client_secret: api.secret, token: access }),
    })
    expect(await answer.json()).toMatchObject({ active: true, aud: api.identifier })
  })

  it('accepts a long form with the API’s secret, even if it arrives in several chunks', async () => {
    const api = await makeApi()
    const fields = { client_id: api.id, client_secret: api.secret, token: 'a'.repeat(5_000) }
    const { status, body } = await sendRaw(config().BASE_URL, {
      method: 'POST',
      path: '/oauth/token/introspection',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      pieces: 4,
    })
    expect([status, JSON.parse(body)]).toEqual([200, { active: false }])
  })

  it('rejects malformed requests', async () => {
    const api = await makeApi()
    const status = async (body: string, headers = {}) => (await api.ask(undefined, { body, headers })).status
    expect(await status('')).toBe(400)
    expect(await status('token=')).toBe(400)
    expect(await status('token=a&token=b')).toBe(400)
    expect(await status('token=a', { 'content-type': 'application/json' })).toBe(400)
    expect(await status(`token=${'a'.repeat(40_000)}`)).toBe(400)
    expect(await status('token=a')).toBe(200)
  })

  it('reports a token that is not an access token for the API as inactive', async () => {
    for (const api of await both()) {
      const other = await makeApi({ tokenFormat: 'JWT' })
      const { body: plain } = await signInToApp(owner.browser, web)
      const foreign = await tokens(other)
      const own = await tokens(api)
      const forged = await new SignJWT({ scope: api.names[0], client_id: web.clientId })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer(`${config().BASE_URL}/oauth`)
        .setAudience(api.identifier)
        .setSubject(owner.user.id)
        .setJti('0'.repeat(64))
        .setExpirationTime('1h')
        .sign(await importJWK({ kty: 'oct', k: 'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' }, 'HS256'))
      const without = (token: string) => `${token.slice(0, -4)}AAAA`
      for (const token of [
        String(plain.access_token),
        String(plain.id_token),
        foreign.access,
        foreign.refresh,
        own.refresh,
        without(own.access),
        forged,
        mintCredential('accessToken'),
        'nonsense',
        'a.b.c',
        '\0',
      ]) {
        expect([token, await api.see(token)]).toEqual([token, { active: false }])
      }
      expect(await api.see(own.access)).toMatchObject({ active: true })
      expect(await other.see(own.access)).toEqual({ active: false })
    }
  })

  it('allows caching only for responses about active tokens, for ten seconds', async () => {
    const api = await makeApi()
    const { access } = await tokens(api)
    expect((await api.ask(access)).headers.get('cache-control')).toBe('private, max-age=10')
    expect((await api.ask('nonsense')).headers.get('cache-control')).toBe('no-store')
  })

  it('returns a signed response if the API requests one', async () => {
    for (const signingAlgorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      const api = await makeApi({ signingAlgorithm })
      const { access } = await tokens(api)
      const headers = { accept: 'application/token-introspection+jwt' }
      const answer = await api.ask(access, { headers })
      expect(answer.headers.get('content-type')).toBe('application/token-introspection+jwt')
      const jwks = createRemoteJWKSet(new URL(`${config().BASE_URL}/oauth/jwks`))
      const { payload, protectedHeader } = await jwtVerify(await answer.text(), jwks, {
        typ: 'token-introspection+jwt',
        issuer: `${config().BASE_URL}/oauth`,
        audience: api.identifier,
      })
      expect(protectedHeader.alg).toBe(signingAlgorithm)
      expect(payload).toMatchObject({ token_introspection: { active: true, sub: owner.user.id } })
      expect(payload).not.toHaveProperty('sub')
      const none = await jwtVerify(await (await api.ask('nonsense', { headers })).text(), jwks)
      expect(none.payload.token_introspection).toEqual({ active: false })
    }
  })

  it('hides access tokens for APIs from the app, which can introspect only its refresh token', async () => {
    for (const api of await both()) {
      const { access, refresh: kept } = await tokens(api)
      const seen = await introspect(web, access)
      expect(seen.active ?? seen.error).not.toBe(true)
      expect(await introspect(web, kept)).toMatchObject({ active: true })
    }
  })
})

describe('a token for an API', () => {
  it('becomes inactive when the app revokes it or the refresh token', async () => {
    const api = await makeApi()
    const one = await tokens(api)
    expect(await revokeAs(web, one.access)).toBe(200)
    expect(await api.see(one.access)).toEqual({ active: false })
    for (const each of await both()) {
      const two = await tokens(each)
      expect(await revokeAs(web, two.refresh)).toBe(200)
      expect(await each.see(two.access)).toEqual({ active: false })
    }
  })

  it('becomes inactive when the authorization is revoked, the user is suspended, or the app is disabled', async () => {
    for (const api of await both()) {
      const who = await makeOwner()
      const app = await who.makeApp()
      const { access, refresh: kept } = await tokens(api, who, app)
      const set = (suspendedAt: Date | null) =>
        prisma().user.update({ where: { id: who.user.id }, data: { suspendedAt } })
      await set(new Date())
      expect(await api.see(access)).toEqual({ active: false })
      await set(null)
      expect(await api.see(access)).toMatchObject({ active: true })
      const disable = (disabledAt: Date | null) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { disabledAt } })
      await disable(new Date())
      expect(await api.see(access)).toEqual({ active: false })
      await disable(null)
      const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
      await revokeAuthorization(sessionOf(who), id)
      expect(await api.see(access)).toEqual({ active: false })
      expect((await refresh(app, kept)).body.error).toBe('invalid_grant')
      expect(await prisma().apiGrant.count({ where: { apiId: api.id } })).toBe(0)
    }
  })

  it('becomes inactive when the API is deleted, even if the same identifier is registered again', async () => {
    for (const tokenFormat of ['OPAQUE', 'JWT'] as const) {
      const who = await makeOwner()
      const app = await who.makeApp()
      const api = await makeApi({ tokenFormat })
      const { access, refresh: kept } = await tokens(api, who, app)
      const own = await signInToApp(who.browser, app, {
        scope: 'openid offline_access',
        prompt: 'consent',
      })
      await deleteApi(await makeApiAdmin(), api.id)
      expect((await refresh(app, kept)).body.error).toBe('invalid_grant')
      expect(await prisma().apiGrant.count({ where: { apiId: api.id } })).toBe(0)
      const again = await makeApi({
        id: api.id,
        identifier: api.identifier,
        tokenFormat,
        scopes: api.names.map((name) => ({ name, selects: 'PROJECTS' })),
      })
      expect(await again.see(access)).toEqual({ active: false })
      expect((await refresh(app, kept)).body.error).toBe('invalid_grant')
      expect((await refresh(app, String(own.body.refresh_token))).status).toBe(200)
    }
  })
})
