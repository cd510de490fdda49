import type { AuditRecord } from '@/lib/features/audit/audit-record'

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
