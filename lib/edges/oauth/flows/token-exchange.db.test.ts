import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApi } from '@/lib/features/resources/change-apis'
import {
  exchangeOf,
  makeApi,
  makeApiAdmin,
  requestFor,
  signInForApi,
  type TestApi,
} from '@/lib/testing/api-world'
import { introspect, queryApi, revoke } from '@/lib/testing/app-requests'
import { countStatements } from '@/lib/testing/count-statements'
import { makeProject } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'
import { shortenLifetime } from '@/lib/testing/shorten-lifetime'

/**
 * Tokens that an API gets for the next API (RFC 8693): their contents, and the changes that make them
 * inactive.
 */
const { server, owner, web } = await startOAuthWorld()

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** Signs in to an app, which requests access to an API. */
const signIn = async (api: TestApi, who = owner, app = web) => {
  const { body } = await signInForApi(api, who, app)
  return { access: String(body.access_token), refresh: String(body.refresh_token) }
}

/** Grants an app each of the APIs. @returns an access token for each */
async function tokensFor(apis: TestApi[], who = owner, app = web): Promise<string[]> {
  const tokens: string[] = []
  for (const api of apis) tokens.push((await signIn(api, who, app)).access)
  return tokens
}

const formats = ['OPAQUE', 'JWT'] as const
const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const))

/** Creates two APIs and grants both to an app. @returns the APIs, and a token for the first one */
async function makePair(
  from: (typeof formats)[number],
  to: (typeof formats)[number],
  who = owner,
  app = web,
) {
  const [one, two] = [await makeApi({ tokenFormat: from }), await makeApi({ tokenFormat: to })]
  const [token] = (await tokensFor([one, two], who, app)) as [string, string]
  return { one, two, token }
}

describe('a token exchange', () => {
  it.each(pairs)(
    'from the format %s to %s returns a token for the next API, with the calling API as the actor',
    async (from, to) => {
      const { one, two, token } = await makePair(from, to)
      const { status, body, headers } = await one.exchange(token, two)
      expect([status, body]).toEqual([
        200,
        {
          access_token: expect.any(String),
          issued_token_type: accessTokenType,
          token_type: 'Bearer',
          expires_in: expect.any(Number),
          scope: two.names[0],
          authorization_details: [{ type: 'project', identifier: owner.project.id, role: 'admin' }],
        },
      ])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(await two.see(String(body.access_token))).toMatchObject({
        active: true,
        iss: `${config().BASE_URL}/oauth`,
        sub: owner.user.id,
        client_id: web.clientId,
        aud: two.identifier,
        scope: two.names[0],
        token_type: 'Bearer',
        act: { sub: one.id },
        authorization_details: body.authorization_details,
      })
      expect(await one.see(token)).not.toHaveProperty('act')
    },
  )

  it('returns a JWT with the algorithm and lifetime of the next API, and with the caller in its act claim', async () => {
    for (const signingAlgorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      const one = await makeApi({ tokenFormat: 'JWT' })
      const two = await makeApi({ tokenFormat: 'JWT', tokenLifetime: 120, signingAlgorithm })
      const [token] = (await tokensFor([one, two])) as [string, string]
      const { body } = await one.exchange(token, two)
      const exchanged = String(body.access_token)
      expect(decodeProtectedHeader(exchanged)).toMatchObject({ alg: signingAlgorithm, typ: 'at+jwt' })
      const keys = createRemoteJWKSet(new URL(`${config().BASE_URL}/oauth/jwks`))
      const { payload } = await jwtVerify(exchanged, keys, { audience: two.identifier })
      expect(payload).toEqual({
        iss: `${config().BASE_URL}/oauth`,
        sub: owner.user.id,
        aud: two.identifier,
        client_id: web.clientId,
        scope: two.names[0],
        jti: expect.stringMatching(/^[0-9a-f]{64}$/),
        iat: expect.any(Number),
        exp: Number(payload.iat) + 120,
        auth_time: decodeJwt(token).auth_time,
        acr: decodeJwt(token).acr,
        act: { sub: one.id },
        authorization_details: body.authorization_details,
      })
    }
  })

  it('accepts a JWT with the token type for JWTs from an API that sends its secret in the form body', async () => {
    const { one, two, token } = await makePair('JWT', 'OPAQUE')
    const answer = await server.fetch('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        ...exchangeOf(token, two),
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        requested_token_type: accessTokenType,
        client_id: one.id,
        client_secret: one.secret,
      }),
    })
    expect(answer.status).toBe(200)
  })

  it('lists each API of a call chain in the new token, and is limited to three exchanges per chain', async () => {
    for (const tokenFormat of formats) {
      const apis = await Promise.all(Array.from({ length: 5 }, () => makeApi({ tokenFormat })))
      const [a, b, c, d, e] = apis as [TestApi, TestApi, TestApi, TestApi, TestApi]
      const [first] = await tokensFor(apis)
      const second = (await a.exchange(String(first), b)).body.access_token
      const third = (await b.exchange(String(second), c)).body.access_token
      const fourth = (await c.exchange(String(third), d)).body.access_token
      expect(await d.see(String(fourth))).toMatchObject({
        active: true,
        act: { sub: c.id, act: { sub: b.id, act: { sub: a.id } } },
      })
      const { status, body } = await d.exchange(String(fourth), e)
      expect([status, body]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description:
            'subject_token was already exchanged 3 times, which is the limit: the call chain must end at this API',
        },
      ])
    }
  })

  it('grants at most the scopes that the user granted the app for the next API', async () => {
    const one = await makeApi()
    const two = await makeApi({
      scopes: [{ name: 'logs:read' }, { name: 'logs:write' }, { name: 'logs:drop' }],
    })
    const [token] = (await tokensFor([one])) as [string]
    const error = async (scope?: string) => (await one.exchange(token, two, { scope })).body.error
    expect(await error()).toBe('invalid_target')
    const asked = { resource: two.identifier, scope: 'openid logs:read logs:write' }
    await signInToApp(owner.browser, web, { ...asked, prompt: 'consent' })
    const scopeOf = async (scope?: string) => (await one.exchange(token, two, { scope })).body.scope
    expect(await scopeOf()).toBe('logs:read logs:write')
    expect(await scopeOf('logs:write')).toBe('logs:write')
    expect(await scopeOf('logs:write  logs:write logs:drop')).toBe('logs:write')
    expect(await error('logs:drop')).toBe('invalid_scope')
    expect(await error('logs:read openid')).toBe('invalid_scope')
    expect(await error('logs:read project:viewer')).toBe('invalid_scope')
    expect(await error(`logs:read ${one.names[0]}`)).toBe('invalid_scope')
    expect(await error('logs:read "')).toBe('invalid_scope')
    const fewer = String(
      (await one.exchange(token, two, { scope: 'logs:read logs:write' })).body.access_token,
    )
    await prisma().apiGrant.updateMany({ where: { apiId: two.id }, data: { scopes: ['logs:read'] } })
    expect(await two.see(fewer)).toMatchObject({ active: true, scope: 'logs:read' })
    expect(await scopeOf()).toBe('logs:read')
    await prisma().apiGrant.deleteMany({ where: { apiId: two.id } })
    expect(await two.see(fewer)).toEqual({ active: false })
    expect(await error()).toBe('invalid_target')
  })

  it('grants only scopes that the app is allowed to request', async () => {
    const one = await makeApi()
    const two = await makeApi({ scopes: [{ name: 'mails:read' }, { name: 'mails:send' }] })
    const app = await owner.makeApp()
    const [token] = (await tokensFor([one, two], owner, app)) as [string, string]
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { allowedScopes: ['openid', String(one.names[0]), 'mails:read'], version: { increment: 1 } },
    })
    expect((await one.exchange(token, two)).body.scope).toBe('mails:read')
    expect((await one.exchange(token, two, { scope: 'mails:send' })).body.error).toBe('invalid_scope')
  })

  it('returns the projects selected for the next API with the user’s current roles', async () => {
    const [one, two] = [await makeApi(), await makeApi({ tokenFormat: 'JWT' })]
    const who = await makeOwner()
    const other = await makeProject(who.workspace)
    const app = await who.makeApp()
    const [token] = (await tokensFor([one], who, app)) as [string]
    await signInToApp(who.browser, app, requestFor(two), { projects: [other.id] })
    const details = async () => (await one.exchange(token, two)).body.authorization_details
    expect(await details()).toEqual([{ type: 'project', identifier: other.id, role: 'admin' }])
    const role = { userId: who.user.id, workspaceId: who.workspace.id }
    await prisma().workspaceMember.updateMany({ where: role, data: { role: 'VIEWER' } })
    expect(await details()).toEqual([{ type: 'project', identifier: other.id, role: 'viewer' }])
  })

  it('issues a token that expires no later than the exchanged token and no later than the next API allows', async () => {
    for (const [from, to] of pairs) {
      const one = await makeApi({ tokenFormat: from, tokenLifetime: 300 })
      const two = await makeApi({ tokenFormat: to, tokenLifetime: 120 })
      const three = await makeApi({ tokenFormat: to, tokenLifetime: 900 })
      const [token] = (await tokensFor([one, two, three])) as [string, string, string]
      const first = (await one.exchange(token, two)).body
      expect(first.expires_in).toBe(120)
      const second = (await one.exchange(token, three)).body
      expect(Number(second.expires_in)).toBeGreaterThan(200)
      expect(Number(second.expires_in)).toBeLessThanOrEqual(300)
      const end = (await one.see(token)).exp as number
      const seen = await three.see(String(second.access_token))
      expect(seen.exp).toBeLessThanOrEqual(end)
      if (to === 'JWT') expect(decodeJwt(String(second.access_token)).exp).toBe(seen.exp)
      if (from === 'OPAQUE') {
        await shortenLifetime(token, 270)
        expect(Number((await one.exchange(token, three)).body.expires_in)).toBeLessThanOrEqual(30)
      }
    }
  })

  it('issues no refresh token, and grants no access to this instance itself', async () => {
    const { one, two, token } = await makePair('OPAQUE', 'OPAQUE')
    const { body } = await one.exchange(token, two)
    expect(body).not.toHaveProperty('refresh_token')
    expect(body).not.toHaveProperty('id_token')
    const exchanged = String(body.access_token)
    expect((await queryApi(exchanged, '{ currentToken { kind } }')).code).toBe('UNAUTHENTICATED')
    expect((await userinfo(exchanged)).status).toBe(403)
    expect(await introspect(web, exchanged)).toEqual({ active: false })
    expect(await one.see(exchanged)).toEqual({ active: false })
  })

  it('issues a different token for each parallel request', async () => {
    for (const [from, to] of pairs) {
      const { one, two, token } = await makePair(from, to)
      const answers = await Promise.all(Array.from({ length: 12 }, () => one.exchange(token, two)))
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
      const values = answers.map(({ body }) => String(body.access_token))
      expect(new Set(values).size).toBe(12)
      for (const value of values) expect(await two.see(value)).toMatchObject({ active: true })
      expect(await one.see(token)).toMatchObject({ active: true })
    }
  })

  it('runs five SQL reads and one SQL write', async () => {
    for (const [from, to] of pairs) {
      const { one, two, token } = await makePair(from, to)
      await one.exchange(token, two)
      const { value, statements } = await countStatements(() => one.exchange(token, two))
      expect(value.status).toBe(200)
      const writes = statements.filter((text) =>
        /\b(INSERT|UPDATE|DELETE|commit_token_request)\b/i.test(text),
      )
      expect([statements.length - writes.length, writes.length]).toEqual([5, 1])
    }
  })

  it('is listed in the RFC 8414 metadata, but not in the OpenID configuration', async () => {
    const grants = async (path: string) => {
      const answer = await server.fetch(path)
      return ((await answer.json()) as { grant_types_supported: string[] }).grant_types_supported
    }
    await makeApi()
    const { grant_type } = exchangeOf('', { identifier: '' })
    expect(await grants('/.well-known/oauth-authorization-server/oauth')).toContain(grant_type)
    expect(await grants('/oauth/.well-known/openid-configuration')).not.toContain(grant_type)
  })
})

describe('an exchanged token', () => {
  it('becomes inactive when the app revokes the refresh token of the sign-in', async () => {
    for (const [from, to] of pairs) {
      const one = await makeApi({ tokenFormat: from })
      const two = await makeApi({ tokenFormat: to })
      await signIn(two)
      const { access, refresh } = await signIn(one)
      const exchanged = String((await one.exchange(access, two)).body.access_token)
      expect(await two.see(exchanged)).toMatchObject({ active: true })
      expect(await revoke(web, refresh)).toBe(200)
      expect(await two.see(exchanged)).toEqual({ active: false })
    }
  })

  it('becomes inactive when the authorization is revoked, the user is suspended, or the app is disabled', async () => {
    for (const [from, to] of pairs) {
      const who = await makeOwner()
      const app = await who.makeApp()
      const { one, two, token } = await makePair(from, to, who, app)
      const exchanged = String((await one.exchange(token, two)).body.access_token)
      const suspend = (suspendedAt: Date | null) =>
        prisma().user.update({ where: { id: who.user.id }, data: { suspendedAt } })
      const disable = (disabledAt: Date | null) =>
        prisma().oAuthClient.update({ where: { id: app.clientId }, data: { disabledAt } })
      for (const stop of [suspend, disable]) {
        await stop(new Date())
        expect(await two.see(exchanged)).toEqual({ active: false })
        expect((await one.exchange(token, two)).body.error).toBe('invalid_request')
        await stop(null)
        expect(await two.see(exchanged)).toMatchObject({ active: true })
      }
      const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
      await revokeAuthorization(sessionOf(who), id)
      expect(await two.see(exchanged)).toEqual({ active: false })
      expect((await one.exchange(token, two)).body.error).toBe('invalid_request')
      expect(await prisma().oAuthArtifact.count({ where: { authorizationId: id } })).toBe(0)
    }
  })

  it('becomes inactive when the first API of the chain is deleted, even if that API is registered again', async () => {
    for (const tokenFormat of formats) {
      const apis = await Promise.all(Array.from({ length: 3 }, () => makeApi({ tokenFormat })))
      const [a, b, c] = apis as [TestApi, TestApi, TestApi]
      const [first] = await tokensFor(apis)
      const second = String((await a.exchange(String(first), b)).body.access_token)
      const third = String((await b.exchange(second, c)).body.access_token)
      const direct = (await signIn(c)).access
      expect(await c.see(third)).toMatchObject({ active: true })
      await deleteApi(await makeApiAdmin(), a.id)
      expect(await b.see(second)).toEqual({ active: false })
      expect(await c.see(third)).toEqual({ active: false })
      expect((await b.exchange(second, c)).body.error).toBe('invalid_request')
      await makeApi({ id: a.id, identifier: a.identifier, scopes: [{ name: String(a.names[0]) }] })
      expect(await b.see(second)).toEqual({ active: false })
      expect(await c.see(third)).toEqual({ active: false })
      expect(await c.see(direct)).toMatchObject({ active: true })
    }
  })

  it('stays active until it expires if only the original token is revoked', async () => {
    const { one, two, token } = await makePair('OPAQUE', 'OPAQUE')
    const exchanged = String((await one.exchange(token, two)).body.access_token)
    expect(await revoke(web, token)).toBe(200)
    expect((await one.exchange(token, two)).body.error).toBe('invalid_request')
    expect(await two.see(exchanged)).toMatchObject({ active: true })
    await shortenLifetime(exchanged, 3600)
    expect(await two.see(exchanged)).toEqual({ active: false })
  })
})
