/** The events that the webhook of a workspace can subscribe to, with what they mean. */
export const webhookEvents = {
  'app.authorized': 'Someone allowed an app to access the workspace.',
  'app.revoked': "An app's access to the workspace was taken back.",
  'app.requested': 'Someone asks for an app to be let into the workspace.',
  'app.request_declined': 'An admin declined such a request.',
  'app.approved': 'An admin approved an app for the workspace, or changed what it is approved for.',
  'app.approval_withdrawn': 'The approval of an app was taken back.',
  'app.blocked': 'An app was blocked in the workspace.',
  'app.unblocked': 'An app is no longer blocked.',
  'app.installed': 'An admin installed an app into the workspace, or changed its installation.',
  'app.suspended': 'An admin suspended an installed app.',
  'app.resumed': 'An admin let a suspended app work again.',
  'app.uninstalled': 'An admin uninstalled an app.',
  'app.managed':
    "An admin let an app act for the people whom the workspace's identity provider names, or changed how far.",
  'app.unmanaged': 'An admin took that back.',
  'app.transfer_requested': 'The transfer of an OAuth app to or from the workspace was requested.',
  'app.transfer_declined': 'The transfer of an OAuth app was declined.',
  'app.transferred': 'An OAuth app was transferred to or from the workspace.',
  'app.policy_changed': 'The workspace lets in other apps than before.',
  'member.added': 'Someone has a new role in the workspace or in one of its projects.',
  'member.role_changed': "A member's role was changed.",
  'member.removed': 'A member was removed.',
  'member.left': 'A member left.',
  'project.created': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.transferred': 'A project was moved to another workspace, or came from one.',
  'project.deleted': 'A project was deleted.',
  'project.restored': 'A project that was deleted was restored.',
  'token.created': 'A workspace or project token was made.',
  'token.revoked': 'A workspace or project token was revoked.',
} as const

export type WebhookEvent = keyof typeof webhookEvents

/**
 * The names that releases before 3.0 gave these events. Subscriptions stored by them keep the old names, because an earlier
 * release can run on the same database during an upgrade. They are mapped when they are read.
 */
const formerEvents: Partial<Record<WebhookEvent, string>> = {
  'app.transfer_requested': 'app.offered',
  'app.transfer_declined': 'app.offer_declined',
}

/** Returns the stored subscriptions that include an event. */
export function subscriptionsFor(event: WebhookEvent): string[] {
  const former = formerEvents[event]
  return [event, `${event.split('.')[0]}.*`, ...(former ? [former] : [])]
}

const currentEvents = new Map(Object.entries(formerEvents).map(([event, former]) => [former, event]))

/** Returns the current names of the events that a stored subscription lists. */
export const eventsOf = (webhook: { events: readonly string[] }): string[] => [
  ...new Set(webhook.events.map((event) => currentEvents.get(event) ?? event)),
]

/** Whether the webhook of a workspace can subscribe to this: an event, or all of a kind, such as `project.*`. */
export const isSubscription = (value: string): boolean =>
  Object.hasOwn(webhookEvents, value) ||
  (value.endsWith('.*') && Object.keys(webhookEvents).some((event) => event.startsWith(value.slice(0, -1))))

/** The events that the webhook of an app can subscribe to: events that concern the app, in any workspace. */
export const appWebhookEvents = {
  'app.authorized': 'Someone let your app in, for the first time or after they had taken it back.',
  'app.authorization_updated': 'Someone allows your app something else than before, or on something else.',
  'app.revoked':
    'What someone allowed your app ended, or a workspace was taken out of what people selected for it.',
  'app.installed': 'An admin installed your app into a workspace, or changed its installation.',
  'app.suspended': 'An admin suspended an installation: no tokens for it until it is resumed.',
  'app.resumed': 'A suspended installation works again.',
  'app.uninstalled': 'An admin uninstalled your app.',
  'app.managed':
    "An admin lets your app act for the people whom their workspace's identity provider names, or changed how far.",
  'app.unmanaged': 'An admin took that back.',
} as const

export type AppWebhookEvent = keyof typeof appWebhookEvents

/** Whether the webhook of an app can subscribe to this: one of its events, or all of them. */
export const isAppSubscription = (value: string): boolean =>
  Object.hasOwn(appWebhookEvents, value) || value === 'app.*'
