import type { RecordedAction } from './recorded-actions'

/**
 * The names that releases before 3.0 recorded. An audit event is never changed, so it keeps the name that it was recorded with.
 * A filter by the current name includes them.
 */
const formerActions = {
  'oauth_app.approved': 'oauth_app.admitted',
  'oauth_app.transfer_canceled': 'oauth_app.offer_withdrawn',
  'oauth_app.transfer_declined': 'oauth_app.offer_declined',
  'oauth_app.transfer_requested': 'oauth_app.offered',
  'person.two_factor_removed': 'person.second_factors_removed',
} satisfies Partial<Record<RecordedAction, string>>

const former = new Map<string, string>(Object.entries(formerActions))

/** Returns the stored names of an action: its own and, if it was renamed, the former one. */
export function storedNamesOf(action: string): string[] {
  const then = former.get(action)
  return then ? [action, then] : [action]
}

const current = new Map(Object.entries(formerActions).map(([now, then]) => [then as string, now]))

/** Returns the current name of a stored action. */
export const currentAction = (stored: string): string => current.get(stored) ?? stored
