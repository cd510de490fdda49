import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { updateApp } from '@/lib/features/apps/update-app'
import { makeClientKey } from '@/lib/testing/client-key'
import { makeHighSecurityWorld } from '@/lib/testing/high-security-world'
import { authorizeUrl, codeGrant, newVerifier, requestToken } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { shortenLifetime } from '@/lib/testing/shorten-lifetime'

/** Each test is named after a requirement of the FAPI 2.0 Security Profile for authorization servers. */
const server = await startOAuthServer()
const {
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
} = await makeHighSecurityWorld(server)

describe('the server for high-security apps', () => {
  describe('5.3.2.1 general requirements', () => {
    it('lists the features of the FAPI 2.0 Security Profile in the metadata', async () => {
      const metadata = (await (
        await server.fetch('/oauth/.well-known/openid-configuration')
      ).json()) as Record<string, unknown>
      expect(metadata).toMatchObject({
        issuer: issuer(),
        pushed_authorization_request_endpoint: `${issuer()}/request`,
        token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
        token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256', 'EdDSA']),
        dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'EdDSA']),
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      })
    })

    it('rejects the resource owner password credentials grant', async () => {
      const { body } = await requestToken(app, {
        grant_type: 'password',
        username: 'ada',
        password: 'x',
        ...(await key.assertion(app.clientId)),
      })
      expect(body.error).toBe('unsupported_grant_type')
    })

    it('supports confidential clients only', async () => {
      const native = await owner.makeApp({ type: 'NATIVE', redirectUris: ['http://127.0.0.1/cb'] })
      const keys = JSON.stringify(key.jwks)
      const switched = updateApp(actor, native.clientId, { highSecurity: true, publicKeys: keys })
      await expect(switched).rejects.toMatchObject({ details: { field: 'highSecurity' } })
      const response = await server.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          redirect_uris: ['https://agent.example/cb'],
          token_endpoint_auth_method: 'none',
          high_security: true,
        }),
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: 'invalid_client_metadata',
        error_description: expect.stringContaining('private_key_jwt'),
      })
    })

    it('issues only sender-constrained access tokens, which are bound with DPoP', async () => {
      const bearer = await redeem(await newCode(), {})
      expect([bearer.status, bearer.body.error]).toEqual([400, 'invalid_grant'])
      const { body } = await redeem(await newCode())
      expect(body.token_type).toBe('DPoP')
      const token = body.access_token as string
      const me = (headers: Record<string, string>) => server.fetch('/oauth/me', { headers })
      expect((await me({ authorization: `Bearer ${token}` })).status).toBe(401)
      const dpop = await key.proof('GET', '/oauth/me', token)
      expect((await me({ authorization: `DPoP ${token}`, dpop })).status).toBe(200)
      const stolen = await (await makeClientKey()).proof('GET', '/oauth/me', token)
      expect((await me({ authorization: `DPoP ${token}`, dpop: stolen })).status).toBe(401)
    })

    it('authenticates clients with private_key_jwt', async () => {
      const other = await makeClientKey()
      expect((await push({ ...request(), ...(await other.assertion(app.clientId)) })).body.error).toBe(
        'invalid_client',
      )
      expect((await pushed()).status).toBe(201)
    })

    it('accepts only its issuer identifier, as a string, as the audience of an assertion', async () => {
      for (const aud of [
        [issuer()],
        `${issuer()}/token`,
        `${issuer()}/request`,
        [issuer(), 'https://x.example'],
      ]) {
        expect((await pushed({}, { aud })).body.error, String(aud)).toBe('invalid_client')
      }
      expect((await pushed({}, { aud: issuer() })).status).toBe(201)
    })

    it('does not rotate refresh tokens, which have a limited lifetime', async () => {
      const { body } = await redeem(await newCode())
      const refresh = async () =>
        requestToken(
          app,
          {
            grant_type: 'refresh_token',
            refresh_token: body.refresh_token as string,
            ...(await key.assertion(app.clientId)),
          },
          { dpop: await key.proof('POST', '/oauth/token') },
        )
      for (const _ of [1, 2]) {
        const { status, body: fresh } = await refresh()
        expect([status, fresh.refresh_token]).toEqual([200, body.refresh_token])
      }
      const later = (days: number) => shortenLifetime(body.refresh_token as string, days * 86_400)
      await later(89)
      expect((await refresh()).status).toBe(200)
      await later(2)
      expect((await refresh()).status).toBe(400)
    })

    it.each([
      [50, undefined],
      [70, 'invalid_client'],
      [-50, undefined],
      [-70, 'invalid_client'],
    ])(
      'accepts assertions only from clients whose clock is off by at most a minute: %i seconds',
      async (off, error) => {
        const seconds = Math.floor(Date.now() / 1000) + off
        const dates = { iat: seconds, nbf: seconds, exp: seconds + (off > 0 ? 60 : 0) }
        expect((await push({ ...request(), ...(await key.assertion(app.clientId, dates)) })).body.error).toBe(
          error,
        )
      },
    )

    it('binds the code to the DPoP key in the request', async () => {
      const bound = await pushed({ dpop_jkt: 'x'.repeat(43) })
      expect(bound.status).toBe(201)
      const code = (await inBrowser(String(bound.body.request_uri))).get('code') as string
      expect((await redeem(code)).body.error).toBe('invalid_grant')
    })

    it('accepts a client clock that is ten seconds ahead, but not one that is more than a minute ahead', async () => {
      const now = Math.floor(Date.now() / 1000)
      const ahead = (seconds: number) => ({ iat: now + seconds, nbf: now + seconds, exp: now + seconds + 60 })
      expect((await pushed({}, ahead(10))).status).toBe(201)
      expect((await pushed({}, ahead(75))).body.error).toBe('invalid_client')
      const { nbf: _, ...issued } = ahead(75)
      expect((await pushed({}, issued)).body.error).toBe('invalid_client')
    })
  })

  it('issues access tokens that are valid for ten minutes', async () => {
    const { body } = await redeem(await newCode())
    expect(body.expires_in).toBe(600)
  })
})

describe('the server in the high-security flow', () => {
  const refused = ['invalid_client', 'invalid_request', 'invalid_grant']

  describe('5.3.2.2 authorization code flow', () => {
    it('requires response_type code', async () => {
      expect((await pushed({ response_type: 'token' })).body.error).toBe('unsupported_response_type')
    })

    it('accepts only pushed requests', async () => {
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
        { ...codeGrant(app, code), code_verifier: newVerifier(), ...(await key.assertion(app.clientId)) },
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

    it('includes iss in the authorization response', async () => {
      const { body } = await pushed()
      const answer = await inBrowser(String(body.request_uri))
      expect(Object.fromEntries(answer)).toMatchObject({ iss: issuer(), state: 'the-state' })
    })

    it.each(['http://app.example/cb', 'http://localhost:3000/cb'])(
      'rejects a plain http redirect URI: %s',
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

    it('accepts a code only once', async () => {
      const code = await newCode()
      expect((await redeem(code)).status).toBe(200)
      expect((await redeem(code)).body.error).toBe('invalid_grant')
    })

    it('issues codes that are valid for one minute, and request URIs for less than ten minutes', async () => {
      const { body } = await pushed()
      expect(Number(body.expires_in)).toBeLessThan(600)
      const code = (await inBrowser(String(body.request_uri))).get('code') as string
      // Only the database's clock determines when a code expires.
      await shortenLifetime(code, 61)
      expect((await redeem(code)).body.error).toBe('invalid_grant')
    })

    it('accepts a request_uri only once, and only from the app that pushed it', async () => {
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

    it('rejects the device flow, which has no pushed request', async () => {
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
    ])('answers an assertion signed with %s with status %i', async (alg, status) => {
      const other = await makeApp(alg)
      const fields = { ...request(other.app), ...(await other.key.assertion(other.app.clientId)) }
      expect((await push(fields, other.app)).status).toBe(status)
    })

    it.each([{}, { idTokenAlg: 'EdDSA' }])(
      'with the settings %j, signs ID tokens with the chosen algorithm, or with ES256 by default',
      async (chosen) => {
        await updateApp(actor, app.clientId, { highSecurity: true, ...chosen })
        const { body } = await redeem(await newCode())
        const { alg } = decodeProtectedHeader(body.id_token as string)
        expect(alg).toBe((chosen as { idTokenAlg?: string }).idTokenAlg ?? 'ES256')
        expect(decodeJwt(body.id_token as string)).toMatchObject({ aud: app.clientId, iss: issuer() })
      },
    )

    it('accepts request objects only if they have a recent nbf and an exp, and are not signed with RS256', async () => {
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
})
