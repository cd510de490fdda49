import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { isHighSecurity } from '../protocol/high-security'

/**
 * Whether a refresh replaces the refresh token. A public client cannot prove that it is itself, so its token is good once
 * (RFC 9700 section 2.2.2); a confidential client's is replaced when most of its life has passed, with high security never
 * (FAPI 2.0 Security Profile section 5.3.2.1).
 */
export function rotateRefreshToken(ctx: KoaContextWithOIDC): boolean {
  const token = ctx.oidc.entities.RefreshToken
  if (isHighSecurity(ctx.oidc.client)) return false
  return ctx.oidc.client?.clientAuthMethod === 'none' || (token?.ttlPercentagePassed() ?? 100) >= 70
}

/** A refresh token comes with `offline_access` alone, which counts only together with `prompt=consent`. */
export const issueRefreshToken = async (
  _ctx: KoaContextWithOIDC,
  client: Client,
  source: { scopes: Set<string> },
): Promise<boolean> => client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access')
