import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

/**
 * Checks an id_token's signature by the engine's own keys, without looking for its client: the engine is handed the part of
 * a client by which it checks, the audience that the token may have and how it is signed.
 * @throws Error for whatever is no id_token of this server
 */
export async function validateOwnIdToken(provider: Provider, idToken: string): Promise<void> {
  const { alg } = decodeProtectedHeader(idToken)
  const client = { clientId: decodeJwt(idToken).aud, idTokenSignedResponseAlg: alg }
  await provider.IdToken.validate(idToken, client as never)
}

/** The secret in the engine's question whether to sign out, which the answer must bring. */
export const signOutSecret = (ctx: KoaContextWithOIDC): string | undefined =>
  (ctx.oidc.session as { state?: { secret?: string } }).state?.secret
