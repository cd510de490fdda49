import { createRequire } from 'node:module'
import * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { authorize, challengeOf, newVerifier } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/**
 * What libraries expect of an app that nobody has configured beyond its id and secret: those that know RS256 unless told
 * otherwise, and those that ask nothing but the id_token who has signed in.
 */
const { owner, web } = await startOAuthWorld()
const issuer = new URL('/oauth', config().BASE_URL)
const { email, name } = owner.person

/** openid-client 5, which next-auth 4 and express-openid-connect stand on. It has no types that agree with version 6. */
type Answer = Record<string, string>
type Client = {
  callback: (uri: string, answer: Answer, checks: Answer) => Promise<{ claims: () => Answer }>
  userinfo: (tokens: object) => Promise<Answer>
}
type Issuer = { Client: new (metadata: Answer) => Client }
type Library = {
  Issuer: { discover: (url: string) => Promise<Issuer> }
  custom: { setHttpOptionsDefaults: (options: { timeout: number }) => void }
}
const requireOfNextAuth = createRequire(createRequire(import.meta.url).resolve('next-auth'))
const { Issuer, custom } = requireOfNextAuth('openid-client') as Library
// It gives up after 3.5 seconds, which a busy machine may need.
custom.setHttpOptionsDefaults({ timeout: 60_000 })

async function comesBack() {
  const verifier = newVerifier()
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const asked = { ...pkce, scope: 'openid email profile', nonce: 'n-1' }
  return { verifier, answer: await authorize(owner.browser, web, asked) }
}

describe('a client as it comes', () => {
  it('openid-client 5 takes the id_token without being told its signature', async () => {
    const { Client } = await Issuer.discover(issuer.href)
    const client = new Client({ client_id: web.clientId, client_secret: web.secret as string })
    const { verifier, answer } = await comesBack()
    const checks = { state: 'the-state', nonce: 'n-1', code_verifier: verifier }
    const tokens = await client.callback(web.redirectUri, Object.fromEntries(answer), checks)
    expect(tokens.claims()).toMatchObject({ sub: owner.person.id, email, email_verified: true, name })
    expect(await client.userinfo(tokens)).toMatchObject({ sub: owner.person.id, email, name })
  })

  it('Auth.js 5, which reads the id_token alone by way of oauth4webapi, knows who has signed in', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const metadata = await oauth.discoveryRequest(issuer, insecure)
    const as = await oauth.processDiscoveryResponse(issuer, metadata)
    const client = { client_id: web.clientId }
    const { verifier, answer } = await comesBack()
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic(web.secret as string),
      oauth.validateAuthResponse(as, client, answer, 'the-state'),
      web.redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: 'n-1',
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(as, response, insecure)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: owner.person.id, email, name })
  })
})
