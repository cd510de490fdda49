import type { Db } from '@/lib/base/db/prisma'
import { type AuditRecord, listenerOf, type SystemActor } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { rolesWith } from '@/lib/policy/permissions'
import {
  approvalNotice,
  domainNotices,
  ssoDomainNotices,
  transferAnswered,
  transferRequested,
  verificationDecided,
  workspaceAssigned,
} from './notices'
import {
  decisionNotice,
  type Notice,
  noticeText,
  notify,
  type Recipient,
  recipientColumns,
  requestNotice,
  usersWith,
} from './notify'
import type { typesWithRules } from './rules'

type Event = { actor: Actor | SystemActor; record: AuditRecord }

/** The functions that return the notices, by recorded action. */
const announcements: Record<string, (tx: Db, event: Event) => Promise<Notice[]>> = {
  'authorization.granted': async (tx, { actor, record }) => {
    const found = await findUserAndApp(tx, actor.userId, record)
    if (!found) return []
    const { app, ...user } = found
    const own: Notice = {
      to: user,
      type: 'APP_AUTHORIZED',
      words: noticeText('notice.granted', 'notice.grantedText', { app }),
      resource: record.resource,
      path: '/account/apps',
      inApp: true,
      email: false,
    }
    const shared = await admins(tx, 'APP_AUTHORIZED', listOf(record.details?.workspaceIds), user.id)
    return [
      own,
      ...shared.map((rule) => ({
        ...rule,
        type: 'APP_AUTHORIZED' as const,
        words: noticeText('notice.shared', 'notice.sharedText', {
          app,
          user: user.name,
          workspace: rule.workspaceName,
        }),
        resource: record.resource,
        path: `/workspaces/${rule.slug}`,
      })),
    ]
  },

  'authorization.revoked_after_token_reuse': async (tx, { actor, record }) => {
    const found = await findUserAndApp(tx, actor.userId, record)
    if (!found) return []
    const { app, ...user } = found
    return [
      {
        to: user,
        type: 'TOKEN_REUSED',
        words: noticeText('notice.reused', 'notice.reusedText', { app }),
        resource: record.resource,
        path: '/account/apps',
        inApp: true,
        email: true,
      },
    ]
  },

  'app.requested': async (tx, { actor, record }) => {
    const requester = await findUser(tx, actor.userId)
    if (!requester || !record.workspaceId) return []
    const { name, reason } = record.details ?? {}
    return (await usersWith(tx, 'workspace:decide-apps', record.workspaceId)).map(({ user, workspace }) => ({
      to: user,
      workspaceId: workspace.id,
      type: 'APP_REQUESTED' as const,
      words: requestNotice(requester.name, String(name), workspace.name, reason),
      resource: record.resource,
      path: `/workspaces/${workspace.slug}/settings/apps/${encodeURIComponent(record.resource.id)}`,
      inApp: true,
      email: true,
    }))
  },

  'app.installed': async (tx, { actor, record }) => {
    const user = await findUser(tx, actor.userId)
    if (!user || !record.workspaceId) return []
    const app = String(record.details?.name)
    return (await admins(tx, 'APP_AUTHORIZED', [record.workspaceId], user.id)).map((rule) => ({
      ...rule,
      type: 'APP_AUTHORIZED' as const,
      words: noticeText('notice.installed', 'notice.installedText', {
        app,
        user: user.name,
        workspace: rule.workspaceName,
      }),
      resource: record.resource,
      path: `/workspaces/${rule.slug}/settings/apps`,
    }))
  },

  'approval.requested': async (tx, { actor, record }) => {
    const user = await findUser(tx, actor.userId)
    return user ? [approvalNotice(user, record)] : []
  },

  'oauth_app.transfer_requested': (tx, { record }) => transferRequested(tx, record),
  'oauth_app.transfer_declined': (tx, { record }) => transferAnswered(tx, record, 'declined'),
  'oauth_app.transferred': (tx, { record }) => transferAnswered(tx, record, 'accepted'),

  'oauth_app.verified': (tx, { record }) => verificationDecided(tx, record, true),
  'oauth_app.unverified': (tx, { record }) => verificationDecided(tx, record, false),
  'oauth_app.verification_declined': (tx, { record }) => verificationDecided(tx, record, false),

  'oauth_app.domain_failing': (tx, { record }) => domainNotices(tx, record, 'failing'),
  'oauth_app.domain_lost': (tx, { record }) => domainNotices(tx, record, 'lost'),

  'workspace.admin_assigned': (tx, { record }) => workspaceAssigned(tx, record),
  'workspace.domain_failing': (tx, { record }) => ssoDomainNotices(tx, record, 'failing'),
  'workspace.domain_lost': (tx, { record }) => ssoDomainNotices(tx, record, 'lost'),

  'app.approved': (tx, { record }) => requesterNotices(tx, record, 'approved'),
  'app.request_approved': (tx, { record }) => requesterNotices(tx, record, 'approved'),
  'app.request_declined': (tx, { record }) => requesterNotices(tx, record, 'declined'),

  'member.added': async (tx, { actor, record }) => {
    const user = await findUser(tx, record.resource.id)
    if (!user || !record.workspaceId) return []
    const rules = await admins(tx, 'MEMBER_ADDED', [record.workspaceId], actor.userId ?? undefined)
    const { name } = await tx.workspace.findUniqueOrThrow({ where: { id: record.workspaceId } })
    const about = { type: 'MEMBER_ADDED' as const, resource: record.resource }
    const own: Notice[] =
      user.id === actor.userId
        ? []
        : [
            {
              ...about,
              to: user,
              workspaceId: record.workspaceId,
              words: noticeText('notice.added', 'notice.addedText', { workspace: name }),
              path: '/workspaces',
              inApp: true,
              email: true,
            },
          ]
    return [
      ...own,
      ...rules
        .filter((rule) => rule.to.id !== user.id)
        .map((rule) => ({
          ...rule,
          ...about,
          words: noticeText('notice.joined', 'notice.joinedText', {
            user: user.name,
            workspace: rule.workspaceName,
          }),
          path: `/workspaces/${rule.slug}/members`,
        })),
    ]
  },
}

/**
 * Notifies users of an event that was just recorded. Workspace admins receive notices about authorized or
 * installed apps and new members according to their notification rules.
 */
export const announceEvent = listenerOf(announcements, async (tx, actor, record) => {
  const announcement = announcements[record.action]
  if (announcement) await notify(tx, await announcement(tx, { actor, record }))
})

const findUser = (tx: Db, id: string | null | undefined): Promise<Recipient | null> =>
  id ? tx.user.findUnique({ where: { id }, ...recipientColumns }) : Promise.resolve(null)

const findUserAndApp = async (
  tx: Db,
  id: string | null | undefined,
  { details }: AuditRecord,
): Promise<(Recipient & { app: string | null }) | undefined> => {
  const [found] = await tx.$queryRaw<(Recipient & { app: string | null })[]>`
    SELECT u.id, u.name, u.email, u.language, c.name AS app
      FROM users u LEFT JOIN oauth_clients c ON c.id = ${String(details?.clientId)}
     WHERE u.id = ${id ?? null}::uuid`
  return found
}

/** Returns the notices for the users who requested an app, about the admin's decision. */
async function requesterNotices(
  tx: Db,
  record: AuditRecord,
  how: 'approved' | 'declined',
): Promise<Notice[]> {
  const { name, word, askedBy } = record.details ?? {}
  const ids = listOf(askedBy)
  const workspace =
    record.workspaceId &&
    ids.length > 0 &&
    (await tx.workspace.findUnique({ where: { id: record.workspaceId } }))
  if (!workspace) return []
  const users = await tx.user.findMany({ where: { id: { in: ids } }, ...recipientColumns })
  return users.map((to) => ({
    to,
    workspaceId: workspace.id,
    type: 'APP_DECIDED' as const,
    words: decisionNotice(how, String(name), workspace.name, word),
    resource: record.resource,
    path: `/workspaces/${workspace.slug}`,
    inApp: true,
    email: true,
  }))
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

type Rule = Pick<Notice, 'to' | 'workspaceId' | 'inApp' | 'email'> & { workspaceName: string; slug: string }

/**
 * Returns the admins of the workspaces except the actor, with their notification rules (rules.ts) or the
 * default rule. Omits admins who turned off both notifications in the app and emails for this type.
 * @param except the actor's user ID
 */
async function admins(
  tx: Db,
  type: (typeof typesWithRules)[number],
  workspaceIds: string[],
  except: string | undefined,
): Promise<Rule[]> {
  if (workspaceIds.length === 0) return []
  const found = await tx.$queryRaw<(Recipient & Omit<Rule, 'to' | 'email'> & { byEmail: boolean })[]>`
    SELECT u.id, u.name, u.email, u.language, w.id AS "workspaceId", w.name AS "workspaceName", w.slug,
           coalesce(r.in_app, true) AS "inApp", coalesce(r.email, false) AS "byEmail"
      FROM workspace_members m
      JOIN workspaces w ON w.id = m.workspace_id
      JOIN users u ON u.id = m.user_id
      LEFT JOIN notification_rules r
        ON r.user_id = m.user_id AND r.workspace_id = m.workspace_id AND r.type = ${type}::notification_type
     WHERE m.workspace_id = ANY(${workspaceIds}::uuid[])
       AND m.role::text = ANY(${rolesWith('workspace:manage-members')})
       AND m.user_id IS DISTINCT FROM ${except ?? null}::uuid`
  return found
    .map(({ id, name, email, language, byEmail, ...rule }) => ({
      ...rule,
      to: { id, name, email, language },
      email: byEmail,
    }))
    .filter((rule) => rule.inApp || rule.email)
}
