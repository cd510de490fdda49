import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'

/** The origin a page of a URI has; on loopback the port does not matter, because clients choose it when they start. */
function comparable(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  return isLoopbackHost(url.hostname) ? `${url.protocol}//${url.hostname}` : url.origin
}

/**
 * Which pages may read a client's answers: at /oauth/me any, because the token is the permission; elsewhere those of a
 * public client's own redirect origins. A confidential client has no business in a browser, and `null` is nobody.
 */
export function clientBasedCORS(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === 'null') return false
  if (ctx.oidc.route === 'userinfo') return true
  if (client.clientAuthMethod !== 'none') return false
  const wanted = comparable(origin)
  return wanted !== undefined && (client.redirectUris ?? []).some((uri) => comparable(uri) === wanted)
}
