import { config } from '@/lib/base/config/env'
import { isUnverifiedKind } from './client-source'

/**
 * The scopes that an app may ask for: what its admins allow it, or, of an app that registered itself or is described by a document of
 * its own, what the operator allows all of those (REGISTERED_APP_SCOPES).
 * See decision 193.
 * @param byAdmins what its admins allow it; none where they allow everything
 * @returns as `askable` and `worthUnder` take it: none where everything is allowed
 */
export function allowedTo(clientId: string, byAdmins: readonly string[] = []): readonly string[] {
  return isUnverifiedKind(clientId) ? registeredAppScopes() : byAdmins
}

/** What the operator allows apps that introduce themselves; none where they allow everything. */
export const registeredAppScopes = (): readonly string[] => config().REGISTERED_APP_SCOPES
