import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord } from '@/lib/features/audit/record-event'
import {
  domainProofNotice,
  type Notice,
  noticeText,
  notify,
  recipientColumns,
  ssoDomainWords,
  transferNotice,
  usersWith,
  verificationWords,
} from './notify'

/**
 * Returns the notices about a requested app transfer, for the admins of the receiving workspace.
 * @param record the event as recorded in the audit log of one of the two workspaces. Only the receiving
 * workspace's event leads to notices.
 */
export async function transferRequested(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
): Promise<Notice[]> {
  if (!workspaceId || workspaceId !== details?.toWorkspaceId) return []
  const from = await nameOf(tx, details.fromWorkspaceId)
  const app = String(details.name)
  return (await usersWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The public enum has no exact type, so use the closest one. The resource shows what the notice is about.
    type: 'APP_REQUESTED',
    words: noticeText('notice.offered', 'notice.offeredText', { from, app, to: workspace.name }),
    resource: { type: 'app_offer', id: resource.id },
    path: `/workspaces/${workspace.slug}/settings/developer`,
    inApp: true,
    email: true,
  }))
}

/**
 * Returns the notices about an accepted or declined app transfer, for the admins of the workspace that
 * requested it.
 */
export async function transferAnswered(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  how: 'accepted' | 'declined',
): Promise<Notice[]> {
  if (!workspaceId || workspaceId !== details?.fromWorkspaceId) return []
  const to = await nameOf(tx, details.toWorkspaceId)
  const app = String(details.name)
  return (await usersWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words:
      how === 'accepted'
        ? transferNotice(to, app, new Date(String(details.formerSecretsEndAt)))
        : noticeText('notice.offerDeclined', 'notice.offerDeclinedText', { to, app }),
    resource,
    path: `/workspaces/${workspace.slug}/settings/developer`,
    inApp: true,
    email: true,
  }))
}

/** Returns the notices about an instance admin's verification decision, for the app's admins. */
export async function verificationDecided(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  verified: boolean,
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { name, word } = details ?? {}
  return (await usersWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words: verificationWords(verified, String(name), word),
    resource,
    path: `/workspaces/${workspace.slug}/settings/developer/${resource.id}/overview`,
    inApp: true,
    email: true,
  }))
}

/** Returns the name of a workspace, or null if it was deleted. */
const nameOf = async (tx: Db, id: unknown): Promise<string | null> =>
  (await tx.workspace.findUnique({ where: { id: String(id) }, select: { name: true } }))?.name ?? null

/**
 * Returns the notice about an approval request.
 * @param record the event of the request, as recorded
 */
export function approvalNotice(to: Notice['to'], { resource, details }: AuditRecord): Notice {
  const { app, token, wants, name } = details ?? {}
  return {
    to,
    // The public enum has no exact type, so use the closest one. The resource shows what the notice is about.
    type: 'APP_AUTHORIZED',
    words: token
      ? noticeText('notice.tokenAsked', 'notice.tokenAskedText', { token: String(token) })
      : noticeText('notice.asked', 'notice.askedText', {
          app: String(app),
          wants: String(wants),
          name: String(name),
        }),
    resource,
    path: `/approvals/${resource.id}`,
    inApp: true,
    email: false,
  }
}

/** Returns the notices for an app's admins about a missing domain proof or a lost domain verification. */
export async function domainNotices(
  tx: Db,
  { workspaceId, resource, details }: AuditRecord,
  state: 'failing' | 'lost',
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { name, domain, problem, until } = details ?? {}
  const end = until ? new Date(String(until)) : null
  const words = domainProofNotice(state, String(name), String(domain), String(problem), end)
  return (await usersWith(tx, 'workspace:manage-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    // The public enum has no exact type, so use the closest one. The resource shows what the notice is about.
    type: 'APP_DECIDED',
    words,
    resource: { type: 'app_domain', id: resource.id },
    path: `/workspaces/${workspace.slug}/settings/developer/${resource.id}`,
    inApp: true,
    email: true,
  }))
}

/**
 * Returns the notices for a workspace's admins about a missing domain proof or a lost domain verification of
 * its SSO connection.
 */
export async function ssoDomainNotices(
  tx: Db,
  { workspaceId, details }: AuditRecord,
  state: 'failing' | 'lost',
): Promise<Notice[]> {
  if (!workspaceId) return []
  const { domain, problem, until } = details ?? {}
  const end = until ? new Date(String(until)) : null
  return (await usersWith(tx, 'workspace:decide-apps', workspaceId)).map(({ user, workspace }) => ({
    to: user,
    workspaceId,
    type: 'APP_DECIDED',
    words: ssoDomainWords(state, workspace.name, String(domain), String(problem), end),
    resource: { type: 'sso_domain', id: workspaceId },
    path: `/workspaces/${workspace.slug}/settings/sso`,
    inApp: true,
    email: true,
  }))
}

/** The path of the list of apps that are waiting for an instance admin's approval. */
const waitingAppsPath = '/admin/apps?state=waiting'

/**
 * Notifies the instance admins that an app registered itself and is waiting for approval. Omits suspended
 * instance admins. Each instance admin receives at most one notice about waiting apps per day (UTC), because
 * anyone can register apps and could otherwise flood mailboxes. The linked page lists all waiting apps. See
 * ADR 0019.
 * @param tx the transaction of the registration
 */
export async function notifyOfWaitingApp(tx: Db, app: { id: string; name: string }): Promise<void> {
  const instanceAdmins = await tx.user.findMany({
    where: { instanceAdmin: true, suspendedAt: null },
    ...recipientColumns,
  })
  const day = new Date(databaseNow()).toISOString().slice(0, 10)
  await notify(
    tx,
    instanceAdmins.map((to) => ({
      to,
      type: 'APP_REQUESTED',
      words: noticeText('notice.waiting', 'notice.waitingText', { app: app.name }),
      resource: { type: 'oauth_app', id: app.id },
      path: waitingAppsPath,
      inApp: true,
      email: true,
      dedupeKey: `app-waiting:${to.id}:${day}`,
    })),
  )
}

/**
 * Returns the notice for a user whom an instance admin made an admin of an abandoned workspace. Returns no
 * notice if the user or the workspace was deleted.
 */
export async function workspaceAssigned(tx: Db, { workspaceId, resource }: AuditRecord): Promise<Notice[]> {
  const to = await tx.user.findUnique({ where: { id: resource.id }, ...recipientColumns })
  const place = workspaceId && (await tx.workspace.findUnique({ where: { id: workspaceId } }))
  if (!to || !place) return []
  return [
    {
      to,
      workspaceId: place.id,
      // The public enum has no exact type, so use the closest one.
      type: 'MEMBER_ADDED',
      words: noticeText('notice.given', 'notice.givenText', { workspace: place.name }),
      resource,
      path: `/workspaces/${place.slug}`,
      inApp: true,
      email: true,
    },
  ]
}
