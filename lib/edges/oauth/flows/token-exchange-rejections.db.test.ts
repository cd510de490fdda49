import { generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures } from '@/lib/features/apps/activity/failures'
import { loadKeyRing } from '@/lib/features/keys/signing-keys'
import { exchangeOf, makeApi, requestFor, signInForApi, type TestApi } from '@/lib/testing/api-world'
import { registerApp, revoke } from '@/lib/testing/app-requests'
import { captureLog } from '@/lib/testing/captured-log'
import { makeClientKey } from '@/lib/testing/client-key'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { authorize, authorizeWithPkce, refresh, requestToken, signInToApp } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { shortenLifetime } from '@/lib/testing/shorten-lifetime'

/** Rejected token exchanges (RFC 8693). APIs are the only callers, and can do nothing else as a client. */
const { server, owner, web, cli } = await startOAuthWorld()
const projects = [owner.project.id]
const types = 'urn:ietf:params:oauth:token-type'

const signIn = async (api: TestApi, app = web) => (await signInForApi(api, owner, app)).body

/** Creates two APIs, and grants both to an app. @returns the APIs, and the token response for each */
async function makePair(tokenFormat: 'OPAQUE' | 'JWT' = 'OPAQUE', app = web) {
  const [one, two] = [await makeApi({ tokenFormat }), await makeApi({ tokenFormat })]
  const other = await signIn(two, app)
  return { one, two, body: await signIn(one, app), other }
}

type Fields = Record<string, string> | [string, string][]

/** Sends a token request with any credentials. @returns the status and the error */
async function post(fields: Fields, headers: Record<string, string> = {}, path = '/oauth/token') {
  const answer = await server.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const { error } = (await answer.json()) as { error?: string }
  return [answer.status, error]
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('the caller of a token exchange', () => {
  it('must be an API with one of its own secrets', async () => {
    const { one, two, body } = await makePair()
    const fields = exchangeOf(String(body.access_token), two)
    const wrong = [401, 'invalid_client']
    expect(await post(fields, basic(one.id, mintCredential('apiSecret')))).toEqual(wrong)
    expect(await post(fields, basic(one.id, two.secret))).toEqual(wrong)
    expect(await post(fields, basic('nothing', one.secret))).toEqual(wrong)
    expect(await post(fields, basic(web.clientId, one.secret))).toEqual(wrong)
    expect(await post(fields, basic(one.id, String(web.secret)))).toEqual(wrong)
    expect(await post(fields, basic(one.id, 'secret'))).toEqual(wrong)
    expect(await post(fields, basic(`${one.id}%00`, one.secret))).toEqual([400, 'invalid_request'])
    const inForm = [400, 'invalid_client']
    const form = (id: string, secret?: string) =>
      post({ ...fields, client_id: id, ...(secret && { client_secret: secret }) })
    expect(await form(one.id, two.secret)).toEqual(inForm)
    expect(await form(`${one.id}\0`, one.secret)).toEqual(inForm)
    expect(await form(one.id)).toEqual(inForm)
    const twice = { ...fields, client_id: one.id, client_secret: one.secret }
    expect(await post(twice, basic(one.id, one.secret))).toEqual([400, 'invalid_request'])
    expect(await post({ ...fields, client_id: two.id }, basic(one.id, one.secret))).toEqual([
      400,
      'invalid_request',
    ])
    const key = await makeClientKey()
    expect(await post({ ...fields, ...(await key.assertion(one.id)) })).toEqual(inForm)
    await prisma().apiCredential.deleteMany({ where: { apiId: one.id } })
    expect(await post(fields, basic(one.id, one.secret))).toEqual(wrong)
  })

  it('cannot be an app, regardless of its registered grant types', async () => {
    const { one, two, body } = await makePair()
    const fields = exchangeOf(String(body.access_token), two)
    const refused = { error: 'unauthorized_client', error_description: 'only an API can exchange tokens' }
    for (const app of [web, cli, await owner.makeApp(native)])
      expect((await requestToken(app, fields)).body).toEqual(refused)
    const registered = await registerApp({
      redirect_uris: ['https://app.example/callback'],
      grant_types: ['authorization_code', fields.grant_type],
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(registered.body.grant_types).not.toContain(fields.grant_type)
    expect((await requestToken(registered.app, fields)).body).toEqual(refused)
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: {
        metadata: { grant_types: [fields.grant_type, 'authorization_code', 'refresh_token'] },
        version: { increment: 1 },
      },
    })
    expect((await requestToken(web, fields)).body).toEqual(refused)
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: { metadata: {}, version: { increment: 1 } },
    })
    expect((await one.exchange(String(body.access_token), two)).status).toBe(200)
  })

  it('cannot use any other grant, or any other endpoint for apps', async () => {
    const { one, body } = await makePair()
    const redemption = await authorizeWithPkce(owner.browser, web)
    const grants: Record<string, string>[] = [
      redemption,
      { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) },
      { grant_type: 'client_credentials', scope: String(one.names[0]), resource: one.identifier },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' },
    ]
    for (const fields of grants) {
      const { body: answer } = await one.request(fields)
      expect(answer).toEqual({
        error: 'unauthorized_client',
        error_description: 'an API can only exchange tokens',
      })
    }
    expect((await one.request({ grant_type: 'unknown' })).body.error).toBe('unsupported_grant_type')
    expect((await one.request({})).body.error).toBe('invalid_request')
    const used = await requestToken(web, redemption)
    expect(used.status).toBe(200)
    expect((await refresh(web, String(body.refresh_token))).status).toBe(200)
    const secret = { client_id: one.id, client_secret: one.secret }
    for (const [path, fields] of [
      ['/oauth/request', { response_type: 'code', scope: 'openid', redirect_uri: 'https://x.example' }],
      ['/oauth/device/auth', { scope: 'openid' }],
      ['/oauth/token/revocation', { token: String(body.access_token) }],
    ] as const) {
      expect(await post({ ...fields, ...secret }, {}, path)).toEqual([400, 'invalid_client'])
      expect(await post({ ...fields }, basic(one.id, one.secret), path)).toEqual([401, 'invalid_client'])
    }
    for (const path of ['/oauth/request', '/oauth/device/auth'])
      expect(await post({ client_id: one.id, scope: 'openid' }, {}, path)).toEqual([400, 'invalid_client'])
    expect(await one.see(String(body.access_token))).toMatchObject({ active: true })
  })

  it('causes no failure record for an app, and no error in the log', async () => {
    const app = await owner.makeApp()
    const { one, two, body } = await makePair('OPAQUE', app)
    const log = captureLog()
    try {
      await one.exchange(String(body.access_token), two)
      await one.exchange('nonsense', two)
      await one.request({ grant_type: 'refresh_token', refresh_token: 'x' })
    } finally {
      log.release()
    }
    expect(gatheredFailures.pending(one.id)).toBeUndefined()
    expect(gatheredFailures.pending(app.clientId)).toBeUndefined()
    expect(log.entries().filter(({ level }) => level === 'error')).toEqual([])
    expect(log.text()).not.toContain(one.secret)
  })
})

describe('the subject token', () => {
  const refusal = {
    error: 'invalid_request',
    error_description:
      'subject_token is not an active access token for this API: it must be the one that the API received',
  }

  it('must be an active access token for the calling API', async () => {
    for (const format of ['OPAQUE', 'JWT'] as const) {
      const { one, two, body, other } = await makePair(format)
      const { body: plain } = await signInToApp(
        owner.browser,
        web,
        { scope: 'openid project:admin' },
        { projects },
      )
      const own = String(body.access_token)
      const revoked = String((await signIn(one)).access_token)
      if (format === 'JWT') await deleteTokens(revoked)
      else expect(await revoke(web, revoked)).toBe(200)
      const exchanged = String((await one.exchange(own, two)).body.access_token)
      const code = String((await authorize(owner.browser, web, requestFor(one))).get('code'))
      for (const token of [
        other.access_token,
        plain.access_token,
        plain.id_token,
        body.id_token,
        body.refresh_token,
        other.refresh_token,
        exchanged,
        revoked,
        code,
        one.secret,
        mintCredential('accessToken'),
        mintCredential('refreshToken'),
        `${own.slice(0, -4)}AAAA`,
        ...(format === 'JWT' ? [String(JSON.parse(payloadOf(own)).jti)] : []),
        ...(await forgeries(one, own)),
        'nonsense',
        'a.b.c',
        '\0',
        'ÿ',
      ]) {
        const answer = await one.exchange(String(token), two)
        expect([token, answer.status, answer.body]).toEqual([token, 400, refusal])
      }
      expect((await refresh(web, String(body.refresh_token))).status).toBe(200)
      expect((await one.exchange(own, two)).status).toBe(200)
    }
  })

  it('must not have expired', async () => {
    const { one, two, body } = await makePair()
    const token = String(body.access_token)
    await shortenLifetime(token, 300)
    expect((await one.exchange(token, two)).body).toEqual(refusal)
  })

  it('must still have at least one scope that the user grants', async () => {
    const { one, two, body } = await makePair()
    await prisma().apiGrant.deleteMany({ where: { apiId: one.id } })
    expect((await one.exchange(String(body.access_token), two)).body).toEqual(refusal)
  })

  it('must have an access token type, like the requested token', async () => {
    const { one, two, body } = await makePair()
    const token = String(body.access_token)
    const error = async (more: Record<string, string | undefined>) => {
      const answer = await one.exchange(token, two, more)
      return [answer.body.error, answer.body.error_description]
    }
    const missing = (names: string) => ['invalid_request', `missing required parameter(s) '${names}'`]
    expect(await error({ subject_token: undefined })).toEqual(missing('subject_token'))
    expect(await error({ subject_token: '' })).toEqual(missing('subject_token'))
    expect(await error({ subject_token_type: undefined })).toEqual(missing('subject_token_type'))
    expect(await error({ subject_token: undefined, subject_token_type: undefined })).toEqual(
      missing("subject_token', 'subject_token_type"),
    )
    const all = ['refresh_token', 'id_token', 'saml2', 'x']
    for (const type of all) {
      const [code, text] = await error({ subject_token_type: `${types}:${type}` })
      expect([code, text]).toEqual([
        'invalid_request',
        `subject_token_type must be ${types}:access_token or ${types}:jwt`,
      ])
    }
    for (const type of [...all, 'jwt']) {
      expect(await error({ requested_token_type: `${types}:${type}` })).toEqual([
        'invalid_request',
        `requested_token_type must be ${types}:access_token or omitted`,
      ])
    }
    expect(await error({ subject_token_type: `${types}:jwt` })).toEqual(Object.values(refusal))
    for (const more of [{ actor_token: token }, { actor_token_type: `${types}:access_token` }])
      expect((await error(more))[0]).toBe('invalid_request')
    for (const name of ['subject_token', 'subject_token_type', 'scope', 'requested_token_type']) {
      const fields: [string, string][] = [...Object.entries(exchangeOf(token, two)), [name, 'x'], [name, 'x']]
      expect((await one.request(fields)).body.error).toBe('invalid_request')
    }
  })

  it('is checked again when the new token is stored', async () => {
    const { one, two, body } = await makePair()
    const token = String(body.access_token)
    let answer: unknown
    const outcome = await whileUncommitted(
      [['DELETE FROM oauth_artifacts WHERE hash = $1', [hashCredential(token)]]],
      async () => {
        answer = (await one.exchange(token, two)).body
      },
    )
    expect([outcome, answer]).toEqual(['ok', refusal])
    const [stored] = await prisma().$queryRaw<[{ count: number }]>`
      SELECT count(*)::int FROM oauth_artifacts
       WHERE payload->>'aud' = ${two.identifier} AND payload->'extra'->'act' IS NOT NULL`
    expect(stored.count).toBe(0)
  })
})

describe('the requested resource of a token exchange', () => {
  it('must be exactly one API other than the calling API', async () => {
    const { one, two, body } = await makePair()
    const token = String(body.access_token)
    const error = async (more: Record<string, string | undefined>) =>
      (await one.exchange(token, two, more)).body.error
    const base = config().BASE_URL
    for (const resource of [
      'https://unknown.example',
      `${two.identifier}/x`,
      two.identifier.toUpperCase(),
      two.id,
      String(two.names[0]),
      web.clientId,
      one.identifier,
      `${one.identifier}/`,
      base,
      `${base}/graphql/v2`,
      `${base}/mcp`,
      `${base}/oauth`,
      '\0',
    ]) {
      expect([resource, await error({ resource })]).toEqual([resource, 'invalid_target'])
    }
    expect(await error({ resource: undefined })).toBe('invalid_request')
    expect(await error({ resource: '' })).toBe('invalid_request')
    expect(await error({ audience: two.identifier })).toBe('invalid_target')
    expect(await error({ audience: two.identifier, resource: undefined })).toBe('invalid_target')
    const three = await makeApi()
    await signIn(three)
    const several: [string, string][] = [
      ...Object.entries(exchangeOf(token, two)),
      ['resource', three.identifier],
    ]
    expect((await one.request(several)).body.error).toBe('invalid_target')
    expect((await one.exchange(token, { identifier: `${two.identifier}/` })).status).toBe(200)
  })

  it('must be an API that the user granted to the same app', async () => {
    const { one, body } = await makePair()
    const three = await makeApi()
    const app = await owner.makeApp()
    await signIn(three, app)
    expect((await one.exchange(String(body.access_token), three)).body.error).toBe('invalid_target')
  })
})

describe('a subject token that is bound to a DPoP key', () => {
  it.each(['OPAQUE', 'JWT'] as const)(
    'can be exchanged only for a token bound to a key of the calling API (token format: %s)',
    async (format) => {
      const { one, two } = await makePair(format)
      const [appKey, apiKey] = [await makeClientKey(), await makeClientKey()]
      const grant = await authorizeWithPkce(owner.browser, web, requestFor(one), { projects })
      const proof = await appKey.proof('POST', '/oauth/token')
      const { body } = await requestToken(web, grant, { dpop: proof })
      expect(body.token_type).toBe('DPoP')
      const token = String(body.access_token)
      const bearer = await one.exchange(token, two)
      expect([bearer.status, bearer.body]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description:
            'subject_token is bound to a DPoP key: send a DPoP proof from this API to bind the new token to its key',
        },
      ])
      const dpop = await apiKey.proof('POST', '/oauth/token')
      const bound = await one.exchange(token, two, {}, { dpop })
      expect(bound.body.token_type).toBe('DPoP')
      const seen = await two.see(String(bound.body.access_token))
      expect(seen).toMatchObject({ active: true, token_type: 'DPoP' })
      expect(seen.cnf).not.toEqual((await one.see(token)).cnf)
      if (format === 'JWT')
        expect(JSON.parse(payloadOf(String(bound.body.access_token))).cnf).toEqual(seen.cnf)
      for (const [proof, error] of [
        [dpop, 'invalid_dpop_proof'],
        [await apiKey.proof('GET', '/oauth/token'), 'invalid_dpop_proof'],
        [await apiKey.proof('POST', '/oauth/me'), 'invalid_dpop_proof'],
        ['nonsense', 'invalid_dpop_proof'],
      ] as const) {
        const answer = await one.exchange(token, two, {}, { dpop: proof })
        expect([answer.status, answer.body.error]).toEqual([400, error])
      }
      const again = await two.exchange(String(bound.body.access_token), one)
      expect(again.body.error).toBe('invalid_request')
    },
  )

  it('is not required to bind the new token to a key', async () => {
    const { one, two, body } = await makePair()
    const key = await makeClientKey()
    const dpop = await key.proof('POST', '/oauth/token')
    const answer = await one.exchange(String(body.access_token), two, {}, { dpop })
    expect(answer.body.token_type).toBe('DPoP')
  })
})

const payloadOf = (jwt: string) => Buffer.from(String(jwt.split('.')[1]), 'base64url').toString()

/** Deletes the row of a JWT, as the revocation of its sign-in does. */
async function deleteTokens(jwt: string): Promise<void> {
  const { jti } = JSON.parse(payloadOf(jwt)) as { jti: string }
  await prisma().oAuthArtifact.deleteMany({ where: { hash: Buffer.from(jti, 'hex') } })
}

/**
 * Returns JWTs that this server did not issue as access tokens for an API. @param token a valid token of the
 * API
 */
async function forgeries(api: TestApi, token: string): Promise<string[]> {
  if (!token.includes('.')) return []
  const claims = JSON.parse(payloadOf(token)) as Record<string, unknown>
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { keys } = await loadKeyRing()
  const key = keys.find(({ alg }) => alg === 'ES256') as JWK
  const signed = async (changes: object, header: object = {}) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: 'ES256', kid: String(key.kid), typ: 'at+jwt', ...header })
      .sign(await importJWK(key, 'ES256'))
  const stranger = await generateKeyPair('ES256')
  const [head, , signature] = token.split('.')
  return [
    `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`,
    `${head}.${part({ ...claims, aud: api.identifier, sub: 'x' })}.${signature}`,
    await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(key.kid) })
      .sign(stranger.privateKey),
    await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from(JSON.stringify({ kty: key.kty, crv: key.crv, x: key.x, y: key.y }))),
    // Signed by this server, but not access tokens for this API.
    await signed({}, { typ: 'JWT' }),
    await signed({}, { typ: 'token-introspection+jwt' }),
    await signed({ aud: 'https://other.example' }),
    await signed({ iss: 'https://other.example' }),
    await signed({ exp: Math.floor(Date.now() / 1000) - 1 }),
    await signed({ jti: '0'.repeat(64) }),
    await signed({ jti: `${claims.jti}\0` }),
    await signed({ jti: undefined }),
  ]
}
