/** What happens around an app, with how its page says it. */
export const activityKinds = {
  SIGNED_IN: 'Signed in',
  GRANTED: 'Access given',
  CHANGED: 'Access changed',
  DENIED: 'Denied',
  REVOKED: 'Access ended',
  REFUSED: 'Refused',
} as const

export type ActivityKind = keyof typeof activityKinds

export const activityKindNames = Object.keys(activityKinds) as ActivityKind[]
