import { config } from '@/lib/base/config/env'
import { type Actor, isApp } from '@/lib/policy/actor'
import { allScopes, type Scope } from '@/lib/policy/scopes'

/** The scopes that are enough to begin with: to read what the user selects. A tool that requires more asks for it when called. */
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
 * Returns the WWW-Authenticate header for a token that lacks scopes (RFC 6750 section 3.1). It names every scope that the new
 * token needs: clients ask for these and no others, so a scope that is left out would be lost.
 * @param actor whose token lacks them
 * @param missing the scopes that the operation requires
 */
export function insufficientScope(actor: Actor, missing: readonly string[]): string {
  const named = new Set<string>([...(isApp(actor) ? actor.scopes : []), ...missing])
  // The user signs in for the new token, which requires `openid`. Without an authorization there is no user to do so.
  if (actor.kind === 'oauth' && actor.authorizationId !== null) named.add('openid')
  return challenge({
    error: 'insufficient_scope',
    error_description: `This requires the scope ${missing.join(' ')}.`,
    scope: allScopes.filter((scope) => named.has(scope)).join(' '),
  })
}

const challenge = (parameters: Record<string, string>): string => {
  const metadata = `${config().BASE_URL}/.well-known/oauth-protected-resource/mcp`
  const all = Object.entries({ ...parameters, resource_metadata: metadata })
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}
