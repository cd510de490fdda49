import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { config } from '@/lib/base/config/env'

/** An app's public key in a key set, and functions that sign with the private key. */
export type ClientKey = Awaited<ReturnType<typeof makeClientKey>>

const issuer = () => `${config().BASE_URL}/oauth`

/** Creates a key pair. @param alg the signature algorithm */
export async function makeClientKey(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), use: 'sig', alg }
  const sign = (claims: JWTPayload, header: Record<string, unknown> = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey)
  const now = () => Math.floor(Date.now() / 1000)
  return {
    jwks: { keys: [jwk] },
    /**
     * Returns the parameters that authenticate a client with `private_key_jwt` (RFC 7523 section 2.2).
     * @param changes changes to the claims; undefined omits a claim
     */
    assertion: async (clientId: string, changes: JWTPayload = {}) => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign({
        iss: clientId,
        sub: clientId,
        aud: issuer(),
        jti: randomUUID(),
        iat: now(),
        exp: now() + 60,
        ...changes,
      }),
    }),
    /** Returns a signed request object (RFC 9101). */
    requestObject: (clientId: string, params: JWTPayload) =>
      sign(
        {
          iss: clientId,
          aud: issuer(),
          client_id: clientId,
          iat: now(),
          nbf: now(),
          exp: now() + 60,
          ...params,
        },
        { typ: 'oauth-authz-req+jwt' },
      ),
    /** Returns a DPoP proof (RFC 9449 section 4.2). @param token the access token in the request, if any */
    proof: (method: string, path: string, token?: string) =>
      sign(
        {
          htm: method,
          htu: `${config().BASE_URL}${path}`,
          jti: randomUUID(),
          iat: now(),
          ...(token ? { ath: createHash('sha256').update(token).digest('base64url') } : {}),
        },
        { typ: 'dpop+jwt', jwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y } },
      ),
  }
}
