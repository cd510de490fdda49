import type { AuditRecord } from '@/lib/features/audit/record-event'

/** The events a webhook can ask for, by kind. */
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
  'app.offered': 'The workspace offers one of its OAuth apps to another one, or is offered one.',
  'app.offer_declined': 'Such an offer was declined.',
  'app.transferred': 'An OAuth app was moved to another workspace, or came from one.',
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

/** Recorded actions that go out under another name; the others keep theirs. */
const names: Record<string, WebhookEvent> = {
  'authorization.granted': 'app.authorized',
  'authorization.revoked': 'app.revoked',
  'authorization.revoked_after_token_reuse': 'app.revoked',
  'authorization.revoked_by_app': 'app.revoked',
  'app.revoked_for_everybody': 'app.revoked',
  'oauth_app.offered': 'app.offered',
  'oauth_app.offer_declined': 'app.offer_declined',
  'oauth_app.transferred': 'app.transferred',
  'workspace.app_policy_changed': 'app.policy_changed',
  'api_token.created': 'token.created',
  'api_token.revoked': 'token.revoked',
}

/** The event that a recorded action goes out as; undefined for one that stays inside. */
export const eventFor = (action: string): WebhookEvent | undefined =>
  names[action] ?? (Object.hasOwn(webhookEvents, action) ? (action as WebhookEvent) : undefined)

/** The workspaces that a recorded action concerns: its own, or those that an authorization selected. */
export const workspacesOf = ({ workspaceId, details }: AuditRecord): string[] =>
  workspaceId ? [workspaceId] : Array.isArray(details?.workspaceIds) ? details.workspaceIds.map(String) : []

/** What a webhook may subscribe to: an event, or all of a kind such as `project.*`. */
export const isSubscription = (value: string): boolean =>
  Object.hasOwn(webhookEvents, value) ||
  (value.endsWith('.*') && Object.keys(webhookEvents).some((event) => event.startsWith(value.slice(0, -1))))

/** The subscriptions that an event answers. */
export const subscriptionsFor = (event: WebhookEvent): string[] => [event, `${event.split('.')[0]}.*`]

/** The events that an app's own endpoint can ask for: what concerns the app, wherever it happens. */
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

type AppWebhookEvent = keyof typeof appWebhookEvents

/** Recorded actions, and as what an app is told of them. */
const told: Record<string, AppWebhookEvent> = {
  'authorization.granted': 'app.authorized',
  'authorization.updated': 'app.authorization_updated',
  'authorization.revoked': 'app.revoked',
  'authorization.revoked_after_token_reuse': 'app.revoked',
  'authorization.revoked_by_app': 'app.revoked',
  'app.revoked_for_everybody': 'app.revoked',
  'app.installed': 'app.installed',
  'app.suspended': 'app.suspended',
  'app.resumed': 'app.resumed',
  'app.uninstalled': 'app.uninstalled',
  'app.managed': 'app.managed',
  'app.unmanaged': 'app.unmanaged',
}

/**
 * What an app is told of a recorded action: whom it concerns and where, by ids that the app knows them by, and never who did it. See decision 195.
 * @param userId of whoever acted, who is the person concerned where an authorization changes
 * @returns undefined for what concerns no app
 */
export function toldToApp({ action, resource, workspaceId, details }: AuditRecord, userId: string | null) {
  const event = told[action]
  if (!event) return undefined
  const { clientId = resource.id, scopes, installationId = null } = details ?? {}
  const ofPerson = resource.type === 'authorization'
  return {
    event,
    clientId: String(clientId),
    data: {
      clientId: String(clientId),
      userId: ofPerson ? userId : null,
      workspaceId: ofPerson ? null : (workspaceId ?? null),
      installationId: typeof installationId === 'string' ? installationId : null,
      scopes: Array.isArray(scopes) ? scopes.map(String) : null,
    },
  }
}

/** What the endpoint of an app may subscribe to: an event of these, or all of them. */
export const isAppSubscription = (value: string): boolean =>
  Object.hasOwn(appWebhookEvents, value) || value === 'app.*'
