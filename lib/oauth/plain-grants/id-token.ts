import { lifetimes } from '../config/lifetimes'
import { issuer } from '../config/routes'
import type { Signer } from '../signer'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * An id_token (OpenID Connect Core section 2) that says who, to whom and when. Its members come in the engine's order.
 * @param now seconds since 1970
 */
export async function signIdToken(
  signer: Signer,
  clientId: string,
  { sub, nonce, sid }: { sub: string; nonce?: string | undefined; sid?: string | undefined },
  now: number,
): Promise<string> {
  const header = base64url({ alg: signer.alg, kid: signer.kid })
  const claims = { sub, nonce, sid, aud: clientId, exp: now + lifetimes.IdToken, iat: now, iss: issuer() }
  const input = `${header}.${base64url(claims)}`
  const signature = await signer.sign(Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}
