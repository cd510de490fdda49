import { errors, type ResourceServer } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { allScopes } from '@/lib/policy/scopes'
import { resourcePaths } from './routes'

const identifiersOf = new Map<string, readonly string[]>()

/** Every accepted resource indicator (RFC 8707), with and without a slash at the end. See decision 015. */
export function resourceIdentifiers(base: string = config().BASE_URL): readonly string[] {
  const known =
    identifiersOf.get(base) ?? resourcePaths.flatMap((path) => [`${base}${path}`, `${base}${path}/`])
  identifiersOf.set(base, known)
  return known
}

/** Whether a token bound to this audience is meant for the whole service, its UserInfo endpoint included. */
export const coversService = (audience: unknown, base: string = config().BASE_URL): boolean =>
  audience === base || audience === `${base}/`

/**
 * What the engine needs to know of a resource. Tokens for it stay opaque, live as long as any other and may carry any scope.
 * @throws errors.InvalidTarget for a resource of somebody else (RFC 8707 section 2)
 */
export function resourceServer(resource: string): ResourceServer {
  if (!resourceIdentifiers().includes(resource)) throw new errors.InvalidTarget()
  return { scope: allScopes.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
}
