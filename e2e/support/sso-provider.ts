import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startTlsServer } from '@/lib/testing/tls-server'

/**
 * Starts an identity provider where the user set with `signIn` is already signed in. The provider redirects
 * browsers back to the product without showing a page.
 */
export async function startSsoProvider() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: randomUUID(), use: 'sig', alg: 'ES256' }
  const state = { user: { sub: '', email: '', name: '' }, nonce: '' }
  const server = await startTlsServer(async (req, res) => {
    const { origin } = server
    const url = new URL(String(req.url), origin)
    if (url.pathname === '/auth') {
      state.nonce = String(url.searchParams.get('nonce'))
      const back = new URL(String(url.searchParams.get('redirect_uri')))
      back.search = String(
        new URLSearchParams({ code: randomUUID(), state: String(url.searchParams.get('state')) }),
      )
      res.writeHead(303, { location: back.href }).end()
      return
    }
    const answers: Record<string, () => Promise<object> | object> = {
      '/.well-known/openid-configuration': () => ({
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        id_token_signing_alg_values_supported: ['ES256'],
      }),
      '/keys': () => ({ keys: [key] }),
      '/token': async () => ({
        access_token: randomUUID(),
        token_type: 'Bearer',
        id_token: await new SignJWT({ ...state.user, nonce: state.nonce })
          .setProtectedHeader({ alg: 'ES256', kid: key.kid })
          .setIssuer(origin)
          .setAudience('latchkey')
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(privateKey),
      }),
    }
    const answer = await answers[url.pathname]?.()
    res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    res.end(JSON.stringify(answer ?? {}))
  })
  return {
    issuer: server.origin,
    /**
     * The networks, ports, and certificate that the product's guard must accept. Tests pass them to
     * open-guard.mjs.
     */
    reaches: { networks: ['127.0.0.0/8'], ports: [server.port], ca: server.ca },
    /** Sets the user who is signed in at the provider. */
    signIn: (user: { sub: string; email: string; name: string }) => {
      state.user = user
    },
    /**
     * Returns the provider's assertion for an app (draft-ietf-oauth-identity-assertion-authz-grant).
     * @param claims `sub`, `aud`, `client_id`, and further claims
     */
    assertion: (claims: Record<string, string>) =>
      new SignJWT({ ...claims, jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'oauth-id-jag+jwt' })
        .setIssuer(server.origin)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    close: server.close,
  }
}
