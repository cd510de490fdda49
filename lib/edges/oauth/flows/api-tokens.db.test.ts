import { createRemoteJWKSet, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApi } from '@/lib/features/resources/change-apis'
import { makeApi, makeApiAdmin, requestFor, signInForApi, type TestApi } from '@/lib/testing/api-world'
import { introspect, pushRequest, queryApi, revoke } from '@/lib/testing/app-requests'
import { makeProject } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { openConsent, submitConsent } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorize, codeGrant, refresh, requestToken, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { sendRaw } from '@/lib/testing/raw-request'

/**
 * Tokens for registered APIs: requests, formats, `authorization_details`, introspection, and the changes that
 * make the tokens inactive.
 */
const { server, owner, web, cli } = await startOAuthWorld()
const projects = [owner.project.id]
const keys = () => createRemoteJWKSet(new URL(`${config().BASE_URL}/oauth/jwks`))

const jwtApi = () => makeApi({ tokenFormat: 'JWT' })

/** Signs in to the web app, which requests access to an API. @returns the token response */
const tokenFor = (api: TestApi, more = '') => signInForApi(api, owner, web, more)

/** Signs in to an app, which requests access to an API. @returns an access token and a refresh token */
async function tokens(api: TestApi, who = owner, app = web) {
  const { body } = await signInForApi(api, who, app)
  return { access: String(body.access_token), refresh: String(body.refresh_token) }
}

const bothFormats = async () => [await makeApi(), await jwtApi()]

describe('a request for an API', () => {
  it('gets an opaque token that has the requested scopes and is valid only for that API', async () => {
    const api = await makeApi()
    const { status, body } = await tokenFor(api)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      scope: api.names[0],
      expires_in: 300,
      token_type: 'Bearer',
      authorization_details: [{ type: 'project', identifier: owner.project.id, role: 'admin' }],
    })
    const token = String(body.access_token)
    expect(token).toMatch(/^lk_at_/)
    expect((await queryApi(token, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
    expect((await userinfo(token)).status).toBe(403)
    expect(await introspect(web, token)).toEqual({ active: false })
    expect(await api.see(token)).toMatchObject({
      active: true,
      sub: owner.user.id,
      client_id: web.clientId,
      aud: api.identifier,
      iss: `${config().BASE_URL}/oauth`,
      scope: api.names[0],
      token_type: 'Bearer',
      authorization_details: [{ type: 'project', identifier: owner.project.id, role: 'admin' }],
    })
    const other = await makeApi()
    expect(await other.see(token)).toEqual({ active: false })
  })

  it('gets an RFC 9068 JWT with the algorithm and lifetime that the API specifies', async () => {
    for (const signingAlgorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      const api = await makeApi({ tokenFormat: 'JWT', tokenLifetime: 120, signingAlgorithm })
      const { body } = await tokenFor(api)
      const token = String(body.access_token)
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: signingAlgorithm, typ: 'at+jwt' })
      const { payload } = await jwtVerify(token, keys(), { audience: api.identifier })
      expect(payload).toEqual({
        iss: `${config().BASE_URL}/oauth`,
        sub: owner.user.id,
        aud: api.identifier,
        client_id: web.clientId,
        scope: api.names[0],
        jti: expect.stringMatching(/^[0-9a-f]{64}$/),
        iat: expect.any(Number),
        exp: Number(payload.iat) + 120,
        auth_time: expect.any(Number),
        acr: expect.any(String),
        authorization_details: body.authorization_details,
      })
      expect(body.authorization_details).toHaveLength(1)
      expect(await api.see(token)).toMatchObject({ active: true, jti: payload.jti, sub: owner.user.id })
      expect((await queryApi(token, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
      expect((await queryApi(String(payload.jti), '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
      expect((await userinfo(token)).status).toBe(401)
    }
  })

  it('is rejected if the resource is unknown, or if the scopes include no API scope or a scope from outside the API', async () => {
    const [api, other] = [await makeApi(), await makeApi()]
    const refused = async (resource: string, scope: string) => {
      const asked = await authorize(owner.browser, web, { resource, scope })
      const device = await beginDevice(cli, { resource, scope })
      const pushed = await pushRequest(web, { resource, scope })
      return [asked.get('error'), device.body.error, pushed.body.error]
    }
    const all = (error: string) => [error, error, error]
    expect(await refused('https://unknown.example', 'openid')).toEqual(all('invalid_target'))
    expect(await refused(`${api.identifier}/x`, `openid ${api.names[0]}`)).toEqual(all('invalid_target'))
    expect(await refused(api.identifier, `openid ${other.names[0]}`)).toEqual(all('invalid_scope'))
    expect(await refused(api.identifier, `openid ${api.names[0]} ${other.names[0]}`)).toEqual(
      all('invalid_scope'),
    )
    expect(await refused(api.identifier, `openid ${api.names[0]} project:viewer`)).toEqual(
      all('invalid_scope'),
    )
    expect(await refused(api.identifier, `openid ${api.names[0]} nothing:known`)).toEqual(
      all('invalid_scope'),
    )
    expect(await refused(api.identifier, 'openid')).toEqual(all('invalid_scope'))
  })

  it('gets no API scopes if it has no resource parameter', async () => {
    const api = await makeApi()
    const { body } = await signInToApp(owner.browser, web, { scope: `openid ${api.names[0]}` })
    expect(body.scope).toBe('openid')
    expect(body).not.toHaveProperty('authorization_details')
    const { body: device } = await beginDevice(cli, { scope: `openid ${api.names[0]}` })
    const pages = await userAtDevicePages(owner.user.id)
    await pages.decide(String(device.user_code), 'authorize')
    expect((await pollDevice(cli, String(device.device_code))).body.scope).toBe('openid')
  })

  it('gets only the scopes that the app is allowed to request', async () => {
    const api = await makeApi({ scopes: [{ name: 'builds:read' }, { name: 'builds:write' }] })
    const app = await owner.makeApp({ allowedScopes: ['openid', 'builds:read'] })
    const { body } = await signInToApp(owner.browser, app, requestFor(api))
    expect(body.scope).toBe('builds:read')
    const none = await owner.makeApp({ allowedScopes: ['openid'] })
    expect((await authorize(owner.browser, none, requestFor(api))).get('error')).toBe('invalid_scope')
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { allowedScopes: ['openid'], version: { increment: 1 } },
    })
    expect(await api.see(String(body.access_token))).toEqual({ active: false })
  })

  it('requires a selection if a scope needs one, and new consent if no selected project remains', async () => {
    const api = await makeApi()
    const again = await openConsent(owner.browser, web, requestFor(api))
    const refused = await submitConsent(owner.browser, again)
    expect(new URL(refused.url).searchParams.get('refused')).toBe('nothing-selected')
    await tokenFor(api)
    expect(
      (await authorize(owner.browser, web, { ...requestFor(api), prompt: 'none' })).get('code'),
    ).toBeTruthy()
    const grant = { apiId: api.id }
    await prisma().apiGrant.updateMany({ where: grant, data: { projectIds: [] } })
    expect((await authorize(owner.browser, web, { ...requestFor(api), prompt: 'none' })).get('error')).toBe(
      'consent_required',
    )
  })

  it('does not give the app’s other tokens access to the projects selected for the API', async () => {
    const app = await owner.makeApp()
    const api = await makeApi()
    const [second] = [await makeProject(owner.workspace)]
    const own = { scope: 'openid project:admin' }
    const { body } = await signInToApp(owner.browser, app, own, { projects })
    await signInToApp(owner.browser, app, requestFor(api), { projects: [second.id] })
    const { data } = await queryApi(String(body.access_token), '{ projects { nodes { id } } }')
    expect(JSON.stringify(data)).not.toContain(second.id)
    const stored = await prisma().authorization.findFirstOrThrow({
      where: { clientId: app.clientId },
      include: { apiGrants: true },
    })
    expect(stored.projectIds).toEqual(projects)
    expect(stored.apiGrants).toMatchObject([{ apiId: api.id, projectIds: [second.id], scopes: api.names }])
  })
})

describe('a refresh token for an API', () => {
  it('is exchanged for tokens with the user’s current roles', async () => {
    for (const api of await bothFormats()) {
      const { body } = await tokenFor(api, 'offline_access')
      const first = await refresh(web, String(body.refresh_token))
      expect(first.status).toBe(200)
      expect(first.body).toMatchObject({
        scope: api.names[0],
        authorization_details: body.authorization_details,
      })
      await prisma().workspaceMember.updateMany({
        where: { userId: owner.user.id, workspaceId: owner.workspace.id },
        data: { role: 'VIEWER' },
      })
      const second = await refresh(web, String(body.refresh_token), { resource: api.identifier })
      expect(second.body.authorization_details).toEqual([
        { type: 'project', identifier: owner.project.id, role: 'viewer' },
      ])
      await prisma().workspaceMember.updateMany({
        where: { userId: owner.user.id, workspaceId: owner.workspace.id },
        data: { role: 'ADMIN' },
      })
    }
  })

  it('is rejected for other resources, for other scopes, and after the API grant is deleted', async () => {
    const [api, other] = [await makeApi(), await makeApi()]
    const { body } = await tokenFor(api, 'offline_access')
    const token = String(body.refresh_token)
    const tried = (more: Record<string, string>) => refresh(web, token, more).then((got) => got.body.error)
    expect(await tried({ resource: other.identifier })).toBe('invalid_target')
    expect(await tried({ resource: `${config().BASE_URL}/mcp` })).toBe('invalid_target')
    expect(await tried({ scope: String(other.names[0]) })).toBe('invalid_scope')
    await prisma().apiGrant.deleteMany({ where: { apiId: api.id } })
    expect(await tried({})).toBe('invalid_target')
    expect(await api.see(String(body.access_token))).toEqual({ active: false })
  })
})

describe('a device', () => {
  it('gets a token for the requested API with the project that the user selected', async () => {
    const api = await makeApi()
    const { body } = await beginDevice(cli, requestFor(api, 'offline_access'))
    const pages = await userAtDevicePages(owner.user.id)
    await pages.decide(String(body.user_code), 'authorize', [['project', owner.project.id]])
    const got = await pollDevice(cli, String(body.device_code))
    expect(got.body).toMatchObject({
      scope: api.names[0],
      authorization_details: [{ type: 'project', identifier: owner.project.id, role: 'admin' }],
    })
    expect(await api.see(String(got.body.access_token))).toMatchObject({
      active: true,
      client_id: cli.clientId,
    })
  })
})

describe('authorization_details', () => {
  it('are truncated in the token response, but complete in the introspection response', async () => {
    const member = await makeOwner()
    const api = await jwtApi()
    const many = await Promise.all(Array.from({ length: 25 }, () => makeProject(member.workspace)))
    const app = await member.makeApp()
    const { body } = await signInToApp(member.browser, app, requestFor(api), {
      projects: many.map(({ id }) => id),
    })
    const details = body.authorization_details as unknown as { type: string }[]
    expect(details).toHaveLength(21)
    expect(details.at(-1)).toEqual({ type: 'incomplete', total: 25 })
    expect(String(body.access_token).length).toBeLessThan(6_000)
    const seen = await api.see(String(body.access_token))
    expect(seen.authorization_details).toHaveLength(25)
  })

  it('reflect the app policy, required two-factor authentication, and deleted projects', async () => {
    const member = await makeOwner()
    const api = await makeApi()
    const app = await (await makeOwner()).makeApp()
    const { body } = await signInToApp(member.browser, app, requestFor(api), {
      projects: [member.project.id],
    })
    const seen = async () => (await api.see(String(body.access_token))).authorization_details
    const set = (data: object) => prisma().workspace.update({ where: { id: member.workspace.id }, data })
    const detail = { type: 'project', identifier: member.project.id }
    expect(await seen()).toEqual([{ ...detail, role: 'admin' }])
    await set({ appPolicy: 'APPROVED' })
    expect(await seen()).toEqual([])
    await prisma().workspaceApp.create({
      data: {
        workspaceId: member.workspace.id,
        clientId: app.clientId,
        decision: 'APPROVED',
        scopes: ['project:viewer'],
      },
    })
    expect(await seen()).toEqual([{ ...detail, role: 'viewer' }])
    await set({ appPolicy: 'OWN' })
    expect(await seen()).toEqual([])
    await set({ appPolicy: 'OPEN', requireTwoFactor: true })
    expect(await seen()).toEqual([])
    await set({ requireTwoFactor: false })
    expect(await seen()).toHaveLength(1)
    await prisma().project.delete({ where: { id: member.project.id } })
    expect(await seen()).toEqual([])
  })
})

describe('a code for several APIs', () => {
  it('is exchanged for a token that is valid only for the requested API', async () => {
    const [one, two] = [await makeApi(), await makeApi()]
    const url = new URL(`${config().BASE_URL}/oauth/auth`)
    const fields = [
      ['client_id', web.clientId],
      ['redirect_uri', web.redirectUri],
      ['response_type', 'code'],
      ['prompt', 'consent'],
      ['scope', `openid ${one.names[0]} ${two.names[0]}`],
      ['resource', one.identifier],
      ['resource', two.identifier],
    ] as const
    for (const [name, value] of fields) url.searchParams.append(name, value)
    const page = new URL((await owner.browser.follow(url.href)).url).pathname
    const answer = await submitConsent(owner.browser, page, ['project', owner.project.id])
    const code = String(new URL(String(answer.headers.get('location'))).searchParams.get('code'))
    const { body } = await requestToken(web, { ...codeGrant(web, code), resource: two.identifier })
    expect(body.scope).toBe(two.names[0])
    expect(await two.see(String(body.access_token))).toMatchObject({ active: true })
    expect(await one.see(String(body.access_token))).toEqual({ active: false })
  })
})

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
    for (const api of await bothFormats()) {
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
      const { payload, protectedHeader } = await jwtVerify(await answer.text(), keys(), {
        typ: 'token-introspection+jwt',
        issuer: `${config().BASE_URL}/oauth`,
        audience: api.identifier,
      })
      expect(protectedHeader.alg).toBe(signingAlgorithm)
      expect(payload).toMatchObject({ token_introspection: { active: true, sub: owner.user.id } })
      expect(payload).not.toHaveProperty('sub')
      const none = await jwtVerify(await (await api.ask('nonsense', { headers })).text(), keys())
      expect(none.payload.token_introspection).toEqual({ active: false })
    }
  })

  it('hides access tokens for APIs from the app, which can introspect only its refresh token', async () => {
    for (const api of await bothFormats()) {
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
    expect(await revoke(web, one.access)).toBe(200)
    expect(await api.see(one.access)).toEqual({ active: false })
    for (const each of await bothFormats()) {
      const two = await tokens(each)
      expect(await revoke(web, two.refresh)).toBe(200)
      expect(await each.see(two.access)).toEqual({ active: false })
    }
  })

  it('becomes inactive when the authorization is revoked, the user is suspended, or the app is disabled', async () => {
    for (const api of await bothFormats()) {
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
