import { lifetimes } from '../config/lifetimes'
import { issuer } from '../config/routes'
import type { Signer } from '../engine/signer'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * An id_token (OpenID Connect Core section 2). Its members come in the engine's order.
 * @param says who it is about, and what else it says of that person and the sign-in
 * @param now seconds since 1970
 */
export async function signIdToken(
  signer: Signer,
  clientId: string,
  says: Record<string, unknown>,
  now: number,
): Promise<string> {
  const header = base64url({ alg: signer.alg, kid: signer.kid })
  const claims = { ...says, aud: clientId, exp: now + lifetimes.IdToken, iat: now, iss: issuer() }
  const input = `${header}.${base64url(claims)}`
  const signature = await signer.sign(Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}
