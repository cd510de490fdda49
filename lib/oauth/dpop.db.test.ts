import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/config/env'
import { authorize, challengeOf, newVerifier, offline, refresh, requestToken } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, cli } = await startOAuthWorld()

describe('DPoP', () => {
  let key: { privateKey: CryptoKey; jwk: JWK }
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256')
    key = { privateKey: pair.privateKey, jwk: await exportJWK(pair.publicKey) }
  })
  const proof = (method: string, path: string, token?: string, jti: string = randomUUID()) =>
    new SignJWT({
      htm: method,
      htu: `${config().BASE_URL}${path}`,
      jti,
      ...(token ? { ath: createHash('sha256').update(token).digest('base64url') } : {}),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk })
      .setIssuedAt()
      .sign(key.privateKey)

  async function boundTokens() {
    const verifier = newVerifier()
    const answer = await authorize(owner.browser, cli, {
      ...offline,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    })
    const { body } = await requestToken(
      cli,
      {
        grant_type: 'authorization_code',
        code: answer.get('code') as string,
        redirect_uri: cli.redirectUri,
        code_verifier: verifier,
      },
      { dpop: await proof('POST', '/oauth/token') },
    )
    return body
  }
  const me = (authorization: string, dpop?: string) =>
    server.fetch('/oauth/me', { headers: { authorization, ...(dpop ? { dpop } : {}) } })
  const query = (authorization: string, dpop?: string) =>
    server
      .fetch('/graphql/v2', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...(dpop ? { dpop } : {}) },
        body: JSON.stringify({ query: '{ me { id } }' }),
      })
      .then(
        async (response) =>
          (await response.json()) as {
            data?: { me?: { id: string } }
            errors?: { extensions: { code: string } }[]
          },
      )

  it('binds tokens to the key: at /oauth/me and at the API they need a proof', async () => {
    const tokens = await boundTokens()
    expect(tokens.token_type).toBe('DPoP')
    const token = tokens.access_token as string
    expect((await me(`Bearer ${token}`)).status).toBe(401)
    expect((await me(`DPoP ${token}`, await proof('GET', '/oauth/me', token))).status).toBe(200)
    const bearer = await query(`Bearer ${token}`)
    expect(bearer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    const proven = await query(`DPoP ${token}`, await proof('POST', '/graphql/v2', token))
    expect(proven.data?.me?.id).toBe(owner.person.id)
  })

  it('takes a proof once, for its method, address and token alone', async () => {
    const token = (await boundTokens()).access_token as string
    const once = await proof('POST', '/graphql/v2', token)
    expect((await query(`DPoP ${token}`, once)).data?.me?.id).toBe(owner.person.id)
    const wrong = [
      once,
      await proof('GET', '/graphql/v2', token),
      await proof('POST', '/oauth/me', token),
      await proof('POST', '/graphql/v2', 'another token'),
      await proof('POST', '/graphql/v2'),
      'no.proof.atall',
    ]
    for (const each of wrong) {
      expect((await query(`DPoP ${token}`, each)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    }
    const atMe = await proof('GET', '/oauth/me', token)
    expect((await me(`DPoP ${token}`, atMe)).status).toBe(200)
    expect((await me(`DPoP ${token}`, atMe)).status).toBe(401)
  })

  it('binds a public client’s refresh token too', async () => {
    const tokens = await boundTokens()
    const stolen = await refresh(cli, tokens.refresh_token as string)
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    const own = await requestToken(
      cli,
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string },
      { dpop: await proof('POST', '/oauth/token') },
    )
    expect([own.status, own.body.token_type]).toEqual([200, 'DPoP'])
  })
})
