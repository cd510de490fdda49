import { errors, type Provider } from 'oidc-provider'

type Context = NonNullable<typeof Provider.ctx>

/**
 * The engine's own reading of the bearer or DPoP token that a request brings (RFC 6750, RFC 9449); its types leave the option
 * out by which its endpoints ask.
 * @returns undefined for anything malformed, which the endpoint has words for
 */
export function presentedToken({ oidc }: Context): string | undefined {
  try {
    return oidc.getAccessToken({ acceptDPoP: true } as never)
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  }
}
