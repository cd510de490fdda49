import { describe, expect, it } from 'vitest'
import { updateApp } from '@/lib/features/apps/update-app'
import { makeClientKey } from '@/lib/testing/client-key'
import { endSooner } from '@/lib/testing/end-sooner'
import { startHighSecurityWorld } from '@/lib/testing/high-security-world'
import { requestToken } from '@/lib/testing/oauth-flow'

/** Named after what the FAPI 2.0 Security Profile (final) asks of an authorization server, section by section. */

const { server, owner, issuer, actor, app, key, request, push, pushed, inBrowser, newCode, redeem } =
  await startHighSecurityWorld()

describe('5.3.2.1 general requirements', () => {
  it('distributes discovery metadata, which lists what the profile takes', async () => {
    const metadata = (await (await server.fetch('/oauth/.well-known/openid-configuration')).json()) as Record<
      string,
      unknown
    >
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

  it('issues sender-constrained access tokens only, by DPoP', async () => {
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

  it('authenticates clients by private_key_jwt', async () => {
    const other = await makeClientKey()
    expect((await push({ ...request(), ...(await other.assertion(app.clientId)) })).body.error).toBe(
      'invalid_client',
    )
    expect((await pushed()).status).toBe(201)
  })

  it('accepts its issuer identifier, as a string, as the audience of an assertion, and nothing else', async () => {
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

  it('does not rotate refresh tokens, whose life is bounded', async () => {
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
    const later = (days: number) => endSooner(body.refresh_token as string, days * 86_400)
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
  ])('takes assertions of a clock that is off by a minute at most: %i seconds', async (off, error) => {
    const seconds = Math.floor(Date.now() / 1000) + off
    const dates = { iat: seconds, nbf: seconds, exp: seconds + (off > 0 ? 60 : 0) }
    expect((await push({ ...request(), ...(await key.assertion(app.clientId, dates)) })).body.error).toBe(
      error,
    )
  })

  it('binds the code to a DPoP key where the request names one', async () => {
    const bound = await pushed({ dpop_jkt: 'x'.repeat(43) })
    expect(bound.status).toBe(201)
    const code = (await inBrowser(String(bound.body.request_uri))).get('code') as string
    expect((await redeem(code)).body.error).toBe('invalid_grant')
  })

  it('takes a clock that is ten seconds ahead, and none that is more than a minute ahead', async () => {
    const now = Math.floor(Date.now() / 1000)
    const ahead = (seconds: number) => ({ iat: now + seconds, nbf: now + seconds, exp: now + seconds + 60 })
    expect((await pushed({}, ahead(10))).status).toBe(201)
    expect((await pushed({}, ahead(75))).body.error).toBe('invalid_client')
    const { nbf: _, ...issued } = ahead(75)
    expect((await pushed({}, issued)).body.error).toBe('invalid_client')
  })
})

it('access tokens live for ten minutes', async () => {
  const { body } = await redeem(await newCode())
  expect(body.expires_in).toBe(600)
})
