import { keepResults } from '@/lib/base/process/keep-results'
import { withIncluded } from '@/lib/policy/scopes'
import { resourceIdentifiers } from '../protocol/resources'
import { claimsOfScopes } from './account'
import type { AuthorizationRow } from './snapshot'

/**
 * An authorization as the engine's grant. The grant's id is the authorization's; it has no end of its own, and whatever
 * scopes the person allowed, with those they include, hold for every resource of this service alike (RFC 8707). Claims
 * follow from the scopes.
 */
export function toGrantPayload(row: AuthorizationRow): Record<string, unknown> {
  const { scope, claims, resources } = grantOf(row.scopes.join(' '))
  return {
    jti: row.id,
    kind: 'Grant',
    accountId: row.userId,
    clientId: row.clientId,
    openid: { scope, claims: [...claims] },
    resources: { ...resources },
  }
}

/** What scopes come to; there are few sets of them. */
const grantOf = keepResults(1_000, (text: string) => {
  const scopes = text.split(' ')
  const scope = withIncluded(scopes).join(' ')
  const resources = Object.fromEntries(resourceIdentifiers().map((resource) => [resource, scope]))
  return { scope, claims: claimsOfScopes(scopes), resources }
})
