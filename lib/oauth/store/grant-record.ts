import { resourceIdentifiers } from '../resources'
import type { AuthorizationRow } from './snapshot'

/**
 * An authorization as the engine's grant. The grant's id is the authorization's; it has no end of its own, and whatever
 * scopes the person allowed hold for every resource of this service alike (RFC 8707).
 */
export function toGrantPayload(row: AuthorizationRow): Record<string, unknown> {
  const scope = row.scopes.join(' ')
  const claims = Array.isArray(row.payload.claims) ? { claims: row.payload.claims } : {}
  return {
    jti: row.id,
    kind: 'Grant',
    accountId: row.userId,
    clientId: row.clientId,
    openid: { scope, ...claims },
    resources: Object.fromEntries(resourceIdentifiers().map((resource) => [resource, scope])),
  }
}
