import type { RecordedAction } from './recorded-actions'

/**
 * The renamed actions, with the current name as the key and the name that releases before 3.0 recorded as the
 * value. Audit events are never changed, so older events keep the former name. A filter for the current name
 * also matches these events.
 */
const formerActions = {
  'app.revoked_for_everyone': 'app.revoked_for_everybody',
  'oauth_app.approved': 'oauth_app.admitted',
  'oauth_app.domain_set': 'oauth_app.domain_named',
  'oauth_app.transfer_canceled': 'oauth_app.offer_withdrawn',
  'oauth_app.transfer_declined': 'oauth_app.offer_declined',
  'oauth_app.transfer_requested': 'oauth_app.offered',
  'two_factor.totp_started': 'two_factor.totp_begun',
  'user.data_exported': 'person.data_exported',
  'user.deleted': 'person.deleted',
  'user.email_changed': 'person.email_changed',
  'user.email_verified': 'person.email_verified',
  'user.identity_connected': 'person.identity_connected',
  'user.identity_joined': 'person.identity_joined',
  'user.identity_removed': 'person.identity_removed',
  'user.instance_admin_added': 'person.operator_added',
  'user.instance_admin_removed': 'person.operator_removed',
  'user.password_reset': 'person.password_reset',
  'user.reset_link_created': 'person.reset_link_made',
  'user.signed_out': 'person.signed_out',
  'user.suspended': 'person.suspended',
  'user.two_factor_removed': 'person.second_factors_removed',
  'user.unsuspended': 'person.unsuspended',
  'workspace.admin_assigned': 'workspace.given',
} satisfies Partial<Record<RecordedAction, string>>

const former = new Map<string, string>(Object.entries(formerActions))

/**
 * Returns the names under which an action is stored: its current name and, if it was renamed, its former
 * name.
 */
export function storedNamesOf(action: string): string[] {
  const then = former.get(action)
  return then ? [action, then] : [action]
}

/** Returns the former names of the actions whose current name starts with a prefix, such as `user.`. */
export const formerNamesUnder = (prefix: string): string[] =>
  Object.entries(formerActions).flatMap(([now, then]) => (now.startsWith(prefix) ? [then] : []))

const current = new Map(Object.entries(formerActions).map(([now, then]) => [then as string, now]))

/** Returns the current name for a stored action. */
export const currentAction = (stored: string): string => current.get(stored) ?? stored
