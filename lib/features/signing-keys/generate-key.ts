import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/** The algorithms an app may choose for its id_tokens. */
export const signingAlgs = ['RS256', 'ES256', 'EdDSA'] as const
export type SigningAlg = (typeof signingAlgs)[number]

/** What id_tokens are signed with where an app says nothing (OpenID Connect Registration section 2). */
export const defaultSigningAlg: SigningAlg = 'RS256'

/** A private JWK as the OAuth engine takes it (RFC 7517). */
export type PrivateJwk = JsonWebKey & { kid: string; alg: SigningAlg; use: 'sig' }

const generate = promisify(generateKeyPair)

const pair = (alg: SigningAlg) =>
  alg === 'ES256'
    ? generate('ec', { namedCurve: 'P-256' })
    : alg === 'EdDSA'
      ? generate('ed25519')
      : generate('rsa', { modulusLength: 2048 })

/** Makes a new signing key. */
export async function generateKey(alg: SigningAlg): Promise<PrivateJwk> {
  const { privateKey } = await pair(alg)
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(12).toString('base64url'),
    alg,
    use: 'sig',
  }
}

/** The part of a key that is published. */
export function publicPart(jwk: PrivateJwk): JsonWebKey {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest } = jwk
  return rest
}
