import { config } from '@/lib/base/config/env'
import type { Scope } from '@/lib/policy/scopes'

/** What is enough to begin with: to read what the person selects. Whatever takes more asks for it when it is called. */
const leastScopes: readonly Scope[] = ['openid', 'profile', 'workspace:viewer']

/**
 * The WWW-Authenticate header for a request without a token, or with a dead one (RFC 9728 section 5.1, RFC 6750 section 3).
 * @param sentToken whether one was sent, which then is worth nothing here
 */
export const unauthenticated = (sentToken: boolean): string =>
  challenge({
    ...(sentToken
      ? {
          error: 'invalid_token',
          error_description: 'The token is unknown, expired, revoked or meant for another resource.',
        }
      : {}),
    scope: leastScopes.join(' '),
  })

/**
 * The WWW-Authenticate header for a token that lacks a scope (RFC 6750 section 3.1).
 * @param scope what this one operation takes. Clients add what they had; to name more would ask the person for more
 */
export const insufficientScope = (scope: string): string =>
  challenge({ error: 'insufficient_scope', error_description: `This needs the scope ${scope}.`, scope })

const challenge = (parameters: Record<string, string>): string => {
  const metadata = `${config().BASE_URL}/.well-known/oauth-protected-resource/mcp`
  const all = Object.entries({ ...parameters, resource_metadata: metadata })
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}
