import { config } from '@/lib/base/config/env'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'

/**
 * Whether a page may ask: our own, and those that a person's own machine serves, such as the protocol's inspector. Programs
 * send no Origin. A page elsewhere could send no token that it was not given, but the protocol wants its origin refused
 * (Streamable HTTP, security), and a name that was rebound to our address is told by it too.
 */
export function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { origin: normal, protocol, hostname } = new URL(origin)
  if (normal === new URL(config().BASE_URL).origin) return true
  return protocol === 'http:' && isLoopbackHost(hostname)
}
