import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import * as helpers from 'oidc-provider/lib/helpers/grants.js'

type Proof = { thumbprint: string; jti: string }

/** The parts of the engine's own grants that a grant of ours needs, typed. */
type Helpers = {
  validateDpop(provider: Provider, ctx: KoaContextWithOIDC): Promise<Proof | undefined>
  checkDpopReplay(
    provider: Provider,
    ctx: KoaContextWithOIDC,
    proof: Proof | undefined,
    clientId: string,
  ): Promise<void>
  checkDpopRequired(provider: Provider, ctx: KoaContextWithOIDC, proof: Proof | undefined): void
}

const { validateDpop, checkDpopReplay, checkDpopRequired } = helpers as unknown as Helpers

/**
 * The DPoP proof of a token request (RFC 9449 section 5), as the engine's own grants check it; to be spent when all else is well.
 * @throws errors.InvalidDpopProof, errors.InvalidGrant where the client has to send one
 */
export async function proofOfRequest(provider: Provider, ctx: KoaContextWithOIDC, clientId: string) {
  const proof = await validateDpop(provider, ctx)
  checkDpopRequired(provider, ctx, proof)
  return {
    /** Of the key that the client holds; undefined where it sent no proof. */
    thumbprint: proof?.thumbprint,
    spend: () => checkDpopReplay(provider, ctx, proof, clientId),
  }
}
