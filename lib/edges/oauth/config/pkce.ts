import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { isHighSecurity } from '../protocol/high-security'

/**
 * PKCE (RFC 7636) is required of every client without a secret; S256 is the only method. To those with one, self-registered
 * ones included, it is optional and recommended (docs/contract.md, section 4): their codes are of no use without the secret.
 */
export const pkce = {
  required: (_ctx: KoaContextWithOIDC, client: Client): boolean =>
    client.tokenEndpointAuthMethod === 'none' || isHighSecurity(client),
}
