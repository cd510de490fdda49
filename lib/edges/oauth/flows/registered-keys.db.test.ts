import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeClientKey } from '@/lib/testing/client-key'
import { authorize, requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner } = await startOAuthWorld()

/** A code, exchanged with whatever proves the client. */
async function exchange(app: TestApp, proof: Record<string, string>) {
  const code = (await authorize(owner.browser, app)).get('code') as string
  return requestToken(app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    ...proof,
  })
}

describe('a client that registers itself with a key', () => {
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

  it('gets no secret and signs people in', async () => {
    const key = await makeClientKey()
    const { status, body } = await register({ jwks: key.jwks })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks })
    expect(body).not.toHaveProperty('client_secret')
    const app = { clientId: body.client_id as string, redirectUri: 'https://agent.example/cb' }
    expect((await exchange(app, await key.assertion(app.clientId))).status).toBe(200)
  })

  it('gives up its secret when it changes over to a key', async () => {
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
      /jwks: The key set holds a private key/,
    ],
    'a short RSA key': [
      () => ({
        jwks: {
          keys: [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
        },
      }),
      /jwks: Give an RSA key of 2048 bits or more/,
    ],
    'an empty set': [() => ({ jwks: { keys: [] } }), /jwks: The key set is empty/],
    'a key set on another port': [
      () => ({ jwks_uri: 'https://agent.example:8443/jwks' }),
      /jwks_uri: Use port 443/,
    ],
    'a key set inside': [
      () => ({ jwks_uri: 'https://169.254.169.254/' }),
      /jwks_uri: .* not on the public internet/,
    ],
    client_secret_jwt: [
      () => ({ token_endpoint_auth_method: 'client_secret_jwt' }),
      /token_endpoint_auth_method must be/,
    ],
    'an HMAC as signature': [
      async () => ({
        jwks: (await makeClientKey()).jwks,
        token_endpoint_auth_signing_alg: 'HS256',
      }),
      /token_endpoint_auth_signing_alg must be/,
    ],
  }
  it.each(Object.keys(refused))('is told what is wrong with %s', async (name) => {
    const [metadata, words] = refused[name] as [() => object, RegExp]
    const { status, body } = await register(await metadata())
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(body.error_description).toMatch(words)
  })
})
