import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { updateApp } from '@/lib/features/apps/update-app'
import { endSooner } from '@/lib/testing/end-sooner'
import { startHighSecurityWorld } from '@/lib/testing/high-security-world'
import { authorizeUrl, newVerifier, requestToken } from '@/lib/testing/oauth-flow'

/** Named after what the FAPI 2.0 Security Profile (final) asks of an authorization server, section by section. */

const {
  server,
  owner,
  issuer,
  actor,
  makeApp,
  app,
  key,
  verifier,
  request,
  push,
  pushed,
  pushedWithout,
  inBrowser,
  newCode,
  redeem,
} = await startHighSecurityWorld()

const refused = ['invalid_client', 'invalid_request', 'invalid_grant']

describe('5.3.2.2 authorization code flow', () => {
  it('requires response_type code', async () => {
    expect((await pushed({ response_type: 'token' })).body.error).toBe('unsupported_response_type')
  })

  it('takes pushed requests only', async () => {
    const direct = await owner.browser.request(authorizeUrl(app, request()))
    const answer = new URL(direct.headers.get('location') as string).searchParams
    expect(answer.get('error')).toBe('invalid_request')
    expect(answer.get('code')).toBeNull()
  })

  it('requires authentication of pushed requests', async () => {
    expect((await push(request())).body.error).toBe('invalid_client')
    expect((await push({ ...request(), client_secret: 'lk_cs_x' })).body.error).toBe('invalid_client')
  })

  it('requires PKCE with S256', async () => {
    expect((await pushedWithout('code_challenge')).body.error).toBe('invalid_request')
    expect((await pushed({ code_challenge: verifier, code_challenge_method: 'plain' })).body.error).toBe(
      'invalid_request',
    )
    const code = await newCode()
    const wrong = await requestToken(
      app,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: newVerifier(),
        ...(await key.assertion(app.clientId)),
      },
      { dpop: await key.proof('POST', '/oauth/token') },
    )
    expect(wrong.body.error).toBe('invalid_grant')
  })

  it('requires redirect_uri in the pushed request, exactly as registered', async () => {
    expect(refused).toContain((await pushedWithout('redirect_uri')).body.error)
    for (const uri of [`${app.redirectUri}/`, `${app.redirectUri}?x=1`, 'https://evil.example/callback']) {
      expect(refused, uri).toContain((await pushed({ redirect_uri: uri })).body.error)
    }
  })

  it('says iss in the answer', async () => {
    const { body } = await pushed()
    const answer = await inBrowser(String(body.request_uri))
    expect(Object.fromEntries(answer)).toMatchObject({ iss: issuer(), state: 'the-state' })
  })

  it.each(['http://app.example/cb', 'http://localhost:3000/cb'])(
    'sends no answer over plain http: %s',
    async (uri) => {
      await expect(updateApp(actor, app.clientId, { redirectUris: [uri] })).rejects.toMatchObject({
        details: { fields: { redirectUris: expect.any(String) } },
      })
      const response = await server.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          redirect_uris: [uri],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: key.jwks,
          high_security: true,
        }),
      })
      expect(response.status).toBe(400)
    },
  )

  it('takes a code once', async () => {
    const code = await newCode()
    expect((await redeem(code)).status).toBe(200)
    expect((await redeem(code)).body.error).toBe('invalid_grant')
  })

  it('issues codes that live for a minute, and request URIs for less than ten', async () => {
    const { body } = await pushed()
    expect(Number(body.expires_in)).toBeLessThan(600)
    const code = (await inBrowser(String(body.request_uri))).get('code') as string
    // Its end is written and judged by the database's clock.
    await endSooner(code, 61)
    expect((await redeem(code)).body.error).toBe('invalid_grant')
  })

  it('takes a request_uri once, and from the app that pushed it alone', async () => {
    const other = await makeApp()
    const { body } = await pushed()
    const request_uri = String(body.request_uri)
    const stolen = await owner.browser.follow(
      `/oauth/auth?${new URLSearchParams({ client_id: other.app.clientId, request_uri })}`,
    )
    expect(stolen.headers.get('location') ?? '').not.toContain('code=')
    const again = await pushed()
    await inBrowser(String(again.body.request_uri))
    const replayed = await owner.browser.follow(
      `/oauth/auth?${new URLSearchParams({ client_id: app.clientId, request_uri: String(again.body.request_uri) })}`,
    )
    expect(replayed.headers.get('location') ?? (await replayed.text())).toContain('invalid_request_uri')
  })

  it('offers the app no other flow: a device has no pushed request', async () => {
    const response = await server.fetch('/oauth/device/auth', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: app.clientId,
        scope: 'openid',
        ...(await key.assertion(app.clientId)),
      }),
    })
    expect(response.status).toBe(400)
  })
})

describe('5.4 cryptography', () => {
  it.each([
    ['PS256', 201],
    ['ES256', 201],
    ['EdDSA', 201],
    ['RS256', 400],
  ])('of assertions: %s is answered %i', async (alg, status) => {
    const other = await makeApp(alg)
    const fields = { ...request(other.app), ...(await other.key.assertion(other.app.clientId)) }
    expect((await push(fields, other.app)).status).toBe(status)
  })

  it.each([{}, { idTokenAlg: 'EdDSA' }])('of id_tokens: never RS256, chosen %j', async (chosen) => {
    await updateApp(actor, app.clientId, { highSecurity: true, ...chosen })
    const { body } = await redeem(await newCode())
    const { alg } = decodeProtectedHeader(body.id_token as string)
    expect(alg).toBe((chosen as { idTokenAlg?: string }).idTokenAlg ?? 'ES256')
    expect(decodeJwt(body.id_token as string)).toMatchObject({ aud: app.clientId, iss: issuer() })
  })

  it('of request objects: never RS256, and with an end', async () => {
    const rsa = await makeApp('RS256')
    const byRsa = {
      ...(await key.assertion(app.clientId)),
      request: await rsa.key.requestObject(app.clientId, request()),
    }
    expect((await push(byRsa)).body.error).toBe('invalid_request_object')
    const signed = async (claims: JWTPayload) => ({
      ...(await key.assertion(app.clientId)),
      request: await key.requestObject(app.clientId, { ...request(), ...claims }),
    })
    expect((await push(await signed({}))).status).toBe(201)
    for (const claims of [{ nbf: undefined }, { exp: undefined }, { nbf: 1 }]) {
      expect((await push(await signed(claims))).body.error, JSON.stringify(claims)).toBe(
        'invalid_request_object',
      )
    }
  })
})
