/** The events that a workspace's webhook can subscribe to, with their descriptions. */
export const webhookEvents = {
  'app.authorized': 'A user authorized an app to access the workspace.',
  'app.revoked': 'An app’s access to the workspace was revoked.',
  'app.requested': 'A member requested approval for an app.',
  'app.request_approved': 'The workspace’s app policy now allows an app that members requested.',
  'app.request_declined': 'An admin declined a request to approve an app.',
  'app.approved': 'An admin approved an app or changed its approval.',
  'app.approval_withdrawn': 'The approval of an app was revoked.',
  'app.blocked': 'An app was blocked in the workspace.',
  'app.unblocked': 'An app was unblocked in the workspace.',
  'app.installed': 'An admin installed an app or changed its installation.',
  'app.suspended': 'An admin suspended an installed app.',
  'app.resumed': 'An admin resumed a suspended app.',
  'app.uninstalled': 'An admin uninstalled an app.',
  'app.managed': 'An app was added to the SSO-managed apps, or its scopes were changed.',
  'app.unmanaged': 'An app was removed from the SSO-managed apps.',
  'app.transfer_requested': 'A transfer of an OAuth app to or from the workspace was requested.',
  'app.transfer_declined': 'A transfer of an OAuth app was declined.',
  'app.transferred': 'An OAuth app was transferred to or from the workspace.',
  'app.policy_changed': 'The workspace’s app policy was changed.',
  'member.added': 'A user received a role in the workspace or in one of its projects.',
  'member.role_changed': 'A member’s role was changed.',
  'member.removed': 'A member was removed from the workspace or from one of its projects.',
  'member.left': 'A member left the workspace or one of its projects.',
  'project.created': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.transferred': 'A project was transferred from or to the workspace.',
  'project.deleted': 'A project was deleted.',
  'project.restored': 'A deleted project was restored.',
  'token.created': 'A workspace or project token was created.',
  'token.revoked': 'A workspace or project token was revoked.',
} as const

export type WebhookEvent = keyof typeof webhookEvents

/**
 * The former names of events that were renamed in release 3.0. Subscriptions that were stored by earlier
 * releases keep the old names, because an earlier release can use the same database during an upgrade. The
 * names are mapped when subscriptions are read.
 */
const formerEvents: Partial<Record<WebhookEvent, string>> = {
  'app.transfer_requested': 'app.offered',
  'app.transfer_declined': 'app.offer_declined',
}

/**
 * Returns every form in which a subscription to an event can be stored: the event's name, its kind followed
 * by `.*`, and its former name if it has one.
 */
export function subscriptionsFor(event: WebhookEvent): string[] {
  const former = formerEvents[event]
  return [event, `${event.split('.')[0]}.*`, ...(former ? [former] : [])]
}

const currentEvents = new Map(Object.entries(formerEvents).map(([event, former]) => [former, event]))

/**
 * Returns a webhook's subscriptions without duplicates. Former event names are replaced with the current
 * names.
 */
export const eventsOf = (webhook: { events: readonly string[] }): string[] => [
  ...new Set(webhook.events.map((event) => currentEvents.get(event) ?? event)),
]

/**
 * Returns whether a workspace's webhook can subscribe to a value: an event, or all events of a kind, such as
 * `project.*`.
 */
export const isSubscription = (value: string): boolean =>
  Object.hasOwn(webhookEvents, value) ||
  (value.endsWith('.*') && Object.keys(webhookEvents).some((event) => event.startsWith(value.slice(0, -1))))

/**
 * The events that an app's webhook can subscribe to. These events can concern any user or workspace that uses
 * the app.
 */
export const appWebhookEvents = {
  'app.authorized': 'A user authorized your app, for the first time or again after revoking it.',
  'app.authorization_updated': 'A user changed the scopes or resources that your app can access.',
  'app.revoked': 'A user’s authorization of your app ended, or a workspace revoked all its access.',
  'app.installed': 'An admin installed your app or changed its installation.',
  'app.suspended': 'An admin suspended an installation. It receives no tokens until it is resumed.',
  'app.resumed': 'An admin resumed a suspended installation.',
  'app.uninstalled': 'An admin uninstalled your app.',
  'app.managed': 'Your app was added to a workspace’s SSO-managed apps, or its scopes were changed.',
  'app.unmanaged': 'Your app was removed from a workspace’s SSO-managed apps.',
} as const

export type AppWebhookEvent = keyof typeof appWebhookEvents

/** Returns whether an app's webhook can subscribe to a value: an event for apps, or `app.*`. */
export const isAppSubscription = (value: string): boolean =>
  Object.hasOwn(appWebhookEvents, value) || value === 'app.*'
