import { decodeJwt } from 'jose'
import { errors, Provider } from 'oidc-provider'

/**
 * The engine looks for a JWT's id and then writes it; here the write decides (store/artifacts), and refuses in the words of
 * a DPoP proof. For a client assertion that means what the engine has words for: it was used before.
 */
export function refuseUsedAssertions(provider: Provider): void {
  const model = provider.ReplayDetection as unknown as {
    unique(iss: string, jti: string, exp: number): Promise<boolean>
  }
  const unique = model.unique.bind(model)
  model.unique = async (iss, jti, exp) => {
    try {
      return await unique(iss, jti, exp)
    } catch (error) {
      if (error instanceof errors.InvalidDpopProof && jti === assertionId()) return false
      throw error
    }
  }
}

/** The id of the client assertion that the request carries. */
function assertionId(): string | undefined {
  const { client_assertion: assertion } = (Provider.ctx?.oidc.params ?? {}) as { client_assertion?: string }
  return assertion === undefined ? undefined : decodeJwt(assertion).jti
}
