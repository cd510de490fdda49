import { decodeJwt } from 'jose'
import { errors, Provider } from 'oidc-provider'
import { proofRememberedSeconds } from '@/lib/policy/proof-of-possession'

/**
 * The engine looks for a JWT's id and then writes it; here the write decides (store/artifacts), and refuses in the words of
 * a DPoP proof. For a client assertion that means what the engine has words for: it was used before. The engine remembers
 * proofs for half as long as those from a clock that is ahead are good.
 */
export function refuseUsedAssertions(provider: Provider): void {
  const model = provider.ReplayDetection as unknown as ReplayDetection
  const unique = model.unique.bind(model)
  model.unique = async (iss, jti, exp) => {
    try {
      return await unique(iss, jti, Math.max(exp, Math.floor(Date.now() / 1000) + proofRememberedSeconds))
    } catch (error) {
      if (error instanceof errors.InvalidDpopProof && jti === assertionId()) return false
      throw error
    }
  }
}

/**
 * Whether the id of a JWT is new among those of its issuer; from now on it is not.
 * @param until when it ends, in seconds
 */
export async function isFirstUse(
  provider: Provider,
  iss: string,
  jti: string,
  until: number,
): Promise<boolean> {
  try {
    // A text of its own kind, so that no client assertion or proof uses it up.
    return await (provider.ReplayDetection as unknown as ReplayDetection).unique(`id-jag ${iss} `, jti, until)
  } catch (error) {
    if (error instanceof errors.InvalidDpopProof) return false
    throw error
  }
}

type ReplayDetection = { unique(iss: string, jti: string, exp: number): Promise<boolean> }

/** The id of the client assertion that the request carries. */
function assertionId(): string | undefined {
  const { client_assertion: assertion } = (Provider.ctx?.oidc.params ?? {}) as { client_assertion?: string }
  return assertion === undefined ? undefined : decodeJwt(assertion).jti
}
