import { generateKeyPairSync } from 'node:crypto'
import { createRemoteJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { makeClientKey } from '@/lib/testing/client-key'
import {
  authorize,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld } from '@/lib/testing/oauth-world'

const server = await startOAuthServer()

describe('dynamic registration', async () => {
  const { owner } = await makeOAuthWorld()

  type Registered = Record<string, string> & { redirect_uris: string[]; grant_types: string[] }

  async function send(method: string, path: string, body?: unknown, token?: string) {
    const response = await server.fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : {}) as Registered,
    }
  }
  const register = (metadata: unknown) => send('POST', '/oauth/register', metadata)
  const pathOf = (client: Registered) => new URL(client.registration_client_uri as string).pathname

  const agent = {
    client_name: 'An agent',
    redirect_uris: ['http://localhost:6274/oauth/callback'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
    scope: 'claudeai',
  }

  describe('POST /oauth/register', () => {
    it('registers a public client, which can use a loopback port other than the registered one', async () => {
      const { status, body } = await register(agent)
      expect(status).toBe(201)
      expect(body).toMatchObject({
        client_id: expect.stringMatching(/^dyn_/),
        client_name: 'An agent',
        registration_access_token: expect.stringMatching(/^lk_reg_/),
        registration_client_uri: `${config().BASE_URL}/oauth/register/${body.client_id}`,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      })
      expect(body).not.toHaveProperty('client_secret')
      const app = { clientId: body.client_id as string, redirectUri: 'http://localhost:41234/oauth/callback' }
      const tokens = await signInToApp(owner.browser, app, offline)
      expect(tokens.status).toBe(200)
      expect((await refresh(app, tokens.body.refresh_token as string)).status).toBe(200)
    })

    it('sets RS256 for ID tokens by default, or the algorithm that the client requests', async () => {
      const signedWith = async (metadata: object) => {
        const { body } = await register({ ...agent, ...metadata })
        const app = { clientId: body.client_id as string, redirectUri: agent.redirect_uris[0] as string }
        const tokens = await signInToApp(owner.browser, app)
        const { alg } = decodeProtectedHeader(tokens.body.id_token as string)
        return [body.id_token_signed_response_alg, alg]
      }
      expect(await signedWith({})).toEqual(['RS256', 'RS256'])
      expect(await signedWith({ id_token_signed_response_alg: 'ES256' })).toEqual(['ES256', 'ES256'])
    })

    it.each(['RS256', 'ES256', 'EdDSA'])(
      'lets a client request UserInfo responses that are signed with %s',
      async (alg) => {
        const { status, body } = await register({ ...agent, userinfo_signed_response_alg: alg })
        expect([status, body.userinfo_signed_response_alg]).toEqual([201, alg])
        const app = { clientId: body.client_id as string, redirectUri: agent.redirect_uris[0] as string }
        const tokens = await signInToApp(owner.browser, app, { scope: 'openid email' })
        for (const method of ['GET', 'POST']) {
          const headers = { authorization: `Bearer ${tokens.body.access_token}` }
          const response = await server.fetch('/oauth/me', { method, headers })
          expect(response.headers.get('content-type')).toBe('application/jwt; charset=utf-8')
          const keys = createRemoteJWKSet(new URL(`${config().BASE_URL}/oauth/jwks`))
          const { payload, protectedHeader } = await jwtVerify(await response.text(), keys, {
            issuer: `${config().BASE_URL}/oauth`,
            audience: app.clientId,
            algorithms: [alg],
          })
          expect(protectedHeader.alg).toBe(alg)
          expect(payload).toMatchObject({ sub: owner.user.id, email: owner.user.email })
        }
      },
    )

    it('registers a confidential client, and returns its secret only once', async () => {
      const { body } = await register({ redirect_uris: ['https://agent.example/cb'] })
      expect(body.client_secret).toMatch(/^lk_cs_/)
      expect(body.client_secret_expires_at).toBe(0)
      const app = {
        clientId: body.client_id as string,
        secret: body.client_secret,
        redirectUri: 'https://agent.example/cb',
      }
      expect((await signInToApp(owner.browser, app)).status).toBe(200)
      const { rows } = await pool().query('SELECT metadata::text FROM oauth_clients WHERE id = $1', [
        app.clientId,
      ])
      expect(rows[0].metadata).not.toContain(body.client_secret)
      const read = await send('GET', pathOf(body), undefined, body.registration_access_token)
      expect(read.status).toBe(200)
      expect(read.body).not.toHaveProperty('client_secret')
    })

    it.each([
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{}, 'invalid_redirect_uri'],
      [
        { redirect_uris: ['https://a.example/cb'], token_endpoint_auth_method: 'client_secret_jwt' },
        'invalid_client_metadata',
      ],
      [{ redirect_uris: ['https://a.example/cb'], logo_uri: 'javascript:1' }, 'invalid_client_metadata'],
      [
        { redirect_uris: ['https://a.example/cb'], userinfo_signed_response_alg: 'HS256' },
        'invalid_client_metadata',
      ],
      [
        { redirect_uris: ['https://a.example/cb'], userinfo_signed_response_alg: 'none' },
        'invalid_client_metadata',
      ],
    ])('rejects %j', async (metadata, error) => {
      const { status, body } = await register(metadata)
      expect([status, body.error]).toEqual([400, error])
    })

    it('assigns an ID and ignores the requested one', async () => {
      const mine = await owner.makeApp()
      for (const client_id of [mine.clientId, 'dyn_mine', 'https://other.example/app.json', owner.user.id]) {
        const { status, body } = await register({ ...agent, client_id })
        expect([status, body.client_id]).toEqual([201, expect.stringMatching(/^dyn_/)])
        expect(body.client_id).not.toBe(client_id)
      }
    })

    it('rejects a body that is not a JSON object or is longer than 8 KiB', async () => {
      expect((await register('{"half')).status).toBe(400)
      expect((await register('[]')).status).toBe(400)
      const { status, body } = await register({ ...agent, client_name: 'x'.repeat(8200) })
      expect([status, body.error]).toEqual([413, 'invalid_client_metadata'])
    })

    it('allows requests from every origin', async () => {
      const preflight = await server.fetch('/oauth/register', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:6274',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
      expect((await register(agent)).headers.get('access-control-allow-origin')).toBe('*')
    })
  })

  describe('the registration management endpoint', () => {
    it('updates a client that sends its registration access token, which does not change', async () => {
      const { body: client } = await register(agent)
      const token = client.registration_access_token as string
      const updated = await send(
        'PUT',
        pathOf(client),
        {
          client_id: client.client_id,
          redirect_uris: ['http://127.0.0.1/cb'],
          token_endpoint_auth_method: 'none',
          client_name: 'Renamed',
        },
        token,
      )
      expect(updated.status).toBe(200)
      expect(updated.body).toMatchObject({ client_name: 'Renamed', registration_access_token: token })
      const read = await send('GET', pathOf(client), undefined, token)
      expect(read.body).toMatchObject({ client_name: 'Renamed', redirect_uris: ['http://127.0.0.1/cb'] })
    })

    it('accepts an update with the current secret, but rejects one with a wrong secret', async () => {
      const { body: client } = await register({ redirect_uris: ['https://agent.example/cb'] })
      const update = (secret: string) =>
        send(
          'PUT',
          pathOf(client),
          { client_id: client.client_id, redirect_uris: ['https://agent.example/cb'], client_secret: secret },
          client.registration_access_token,
        )
      expect((await update(client.client_secret as string)).status).toBe(200)
      expect((await update('wrong')).status).toBe(400)
      const app = {
        clientId: client.client_id as string,
        secret: client.client_secret,
        redirectUri: 'https://agent.example/cb',
      }
      expect((await signInToApp(owner.browser, app)).status).toBe(200)
    })

    it('deletes the client and invalidates its access token', async () => {
      const { body: client } = await register(agent)
      const app = { clientId: client.client_id as string, redirectUri: agent.redirect_uris[0] as string }
      const { body } = await signInToApp(owner.browser, app)
      const gone = await send('DELETE', pathOf(client), undefined, client.registration_access_token)
      expect(gone.status).toBe(204)
      expect((await userinfo(body.access_token as string)).status).toBe(401)
      expect(await prisma().oAuthClient.count({ where: { id: app.clientId } })).toBe(0)
      const again = await send('GET', pathOf(client), undefined, client.registration_access_token)
      expect(again.status).toBe(401)
    })

    it('requires the client’s own registration access token', async () => {
      const [{ body: one }, { body: two }] = [await register(agent), await register(agent)]
      expect((await send('GET', pathOf(one))).status).toBe(401)
      expect((await send('GET', pathOf(one), undefined, two.registration_access_token)).status).toBe(401)
      expect((await send('DELETE', pathOf(one), undefined, 'lk_reg_nonsense')).status).toBe(401)
    })
  })
})

describe('a self-registered client with a key', async () => {
  const { owner } = await makeOAuthWorld()

  /** Exchanges a code with the given client authentication. */
  async function exchange(app: TestApp, proof: Record<string, string>) {
    const code = (await authorize(owner.browser, app)).get('code') as string
    return requestToken(app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      ...proof,
    })
  }

  const register = async (metadata: object) => {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://agent.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        ...metadata,
      }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  it('gets no secret, and can sign users in with its key', async () => {
    const key = await makeClientKey()
    const { status, body } = await register({ jwks: key.jwks })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks })
    expect(body).not.toHaveProperty('client_secret')
    const app = { clientId: body.client_id as string, redirectUri: 'https://agent.example/cb' }
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it('loses its secret if it registered with one and changes to a key later', async () => {
    const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' })
    const key = await makeClientKey()
    const response = await server.fetch(new URL(body.registration_client_uri as string).pathname, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${body.registration_access_token}`,
      },
      body: JSON.stringify({
        client_id: body.client_id,
        redirect_uris: ['https://agent.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: key.jwks,
      }),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).not.toHaveProperty('client_secret')
    expect(await prisma().oAuthClientSecret.count({ where: { clientId: String(body.client_id) } })).toBe(0)
  })

  const refused: Record<string, [() => Promise<object> | object, RegExp]> = {
    'no key': [() => ({}), /jwks or jwks_uri is mandatory/],
    'a private key': [
      async () => ({
        jwks: {
          keys: [await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)],
        },
      }),
      /jwks: The key set contains a private key/,
    ],
    'a short RSA key': [
      () => ({
        jwks: {
          keys: [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
        },
      }),
      /jwks: Use an RSA key of at least 2048 bits/,
    ],
    'an empty set': [() => ({ jwks: { keys: [] } }), /jwks: The key set is empty/],
    'a key set on another port': [
      () => ({ jwks_uri: 'https://agent.example:8443/jwks' }),
      /jwks_uri: Use port 443/,
    ],
    'a key set at an internal address': [
      () => ({ jwks_uri: 'https://169.254.169.254/' }),
      /jwks_uri: .* not on the public internet/,
    ],
    client_secret_jwt: [
      () => ({ token_endpoint_auth_method: 'client_secret_jwt' }),
      /token_endpoint_auth_method must be/,
    ],
    'an HMAC algorithm': [
      async () => ({
        jwks: (await makeClientKey()).jwks,
        token_endpoint_auth_signing_alg: 'HS256',
      }),
      /token_endpoint_auth_signing_alg must be/,
    ],
  }
  it.each(Object.keys(refused))('gets an error for %s', async (name) => {
    const [metadata, words] = refused[name] as [() => object, RegExp]
    const { status, body } = await register(await metadata())
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(body.error_description).toMatch(words)
  })
})
