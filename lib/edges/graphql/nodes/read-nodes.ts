import { prisma } from '@/lib/base/db/prisma'
import { readAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { readSessions } from '@/lib/features/identity/sessions/list-sessions'
import { visibleNotifications } from '@/lib/features/notifications/read-notifications'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount, authorizePersonal, personOf, refusedEnvironment } from '@/lib/policy/authorize'
import type { Person } from '@/lib/policy/bearer'
import type { ProjectPermission, WorkspacePermission } from '@/lib/policy/permissions'
import { isId, requireProjects, requireWorkspaces } from '@/lib/policy/require'
import type { NodeType } from './find-types'
import { own, type ReadMany, through } from './through'

type Reader = (actor: Actor, ids: readonly string[], person: Person | null) => ReturnType<ReadMany<object>>

const workspaces =
  (actor: Actor, permission: WorkspacePermission): ReadMany<object> =>
  (ids) =>
    requireWorkspaces(actor, permission, ids)

const projects = (actor: Actor, permission: ProjectPermission) => (ids: readonly string[]) =>
  requireProjects(actor, permission, ids)

/** A condition for the rows of some ids; what is no id names nothing. */
const among = (ids: readonly string[]) => ({ id: { in: ids.filter(isId) } })

/** How the rows of each type are read by their ids: as the field that shows one of them reads it, and as it decides. */
const readers: Record<NodeType, Reader> = {
  Workspace: (actor, ids) => requireWorkspaces(actor, 'workspace:read', ids),
  Project: (actor, ids) => requireProjects(actor, 'project:read', ids),
  User: async (_actor, ids, person) =>
    own(
      'user',
      ids,
      () => {},
      async () => (person ? [person] : []),
    ),

  async Environment(actor, ids) {
    const found = await prisma().environment.findMany({ where: among(ids) })
    const rows = { type: 'environment', ids, found }
    return through(
      rows,
      ({ projectId }) => projectId,
      projects(actor, 'project:read'),
      (row) => refusedEnvironment(actor, row.id) ?? row,
    )
  },
  async Variable(actor, ids) {
    const found = await prisma().variable.findMany({
      where: among(ids),
      include: { environment: { select: { projectId: true } } },
    })
    const rows = { type: 'variable', ids, found }
    return through(
      rows,
      ({ environment }) => environment.projectId,
      projects(actor, 'project:read'),
      (row, project) => refusedEnvironment(actor, row.environmentId) ?? { ...row, project },
    )
  },
  async ProjectToken(actor, ids) {
    const found = await prisma().apiToken.findMany({ where: { ...among(ids), kind: 'PROJECT' } })
    const rows = { type: 'api_token', ids, found }
    return through(rows, ({ projectId }) => projectId, projects(actor, 'project:manage-tokens'))
  },
  ApiToken: (actor, ids) =>
    own(
      'api_token',
      ids,
      () => authorizeAccount(actor),
      () =>
        prisma().apiToken.findMany({
          where: { ...among(ids), userId: personOf(actor), kind: { not: 'PROJECT' } },
        }),
    ),

  async OAuthApp(actor, ids) {
    const found = await prisma().oAuthClient.findMany({ where: { id: { in: [...ids] }, source: 'SETTINGS' } })
    const rows = { type: 'oauth_app', ids, found }
    return through(rows, ({ workspaceId }) => workspaceId, workspaces(actor, 'workspace:manage-apps'))
  },
  async Webhook(actor, ids) {
    const found = await prisma().webhook.findMany({ where: among(ids) })
    const rows = { type: 'webhook', ids, found }
    return through(rows, ({ workspaceId }) => workspaceId, workspaces(actor, 'workspace:manage-webhooks'))
  },
  async WebhookDelivery(actor, ids) {
    const found = await prisma().webhookDelivery.findMany({
      where: among(ids),
      include: { webhook: { select: { workspaceId: true } } },
    })
    const rows = { type: 'webhook_delivery', ids, found }
    const ownerOf = ({ webhook }: (typeof found)[number]) => webhook.workspaceId
    return through(rows, ownerOf, workspaces(actor, 'workspace:manage-webhooks'))
  },
  async AuditLog(actor, ids) {
    const found = await prisma().auditEvent.findMany({ where: among(ids) })
    const rows = { type: 'audit_log', ids, found }
    return through(rows, ({ workspaceId }) => workspaceId, workspaces(actor, 'workspace:read-audit'))
  },
  /** Those to a project alone are its admins' to see, the others those of the workspace's. */
  async WorkspaceInvitation(actor, ids) {
    const found = await prisma().invitation.findMany({ where: among(ids) })
    const rows = { type: 'invitation', ids, found }
    const toProjects = await through(
      rows,
      ({ projectId }) => projectId,
      projects(actor, 'project:manage-members'),
    )
    const toWorkspaces = await through(
      rows,
      ({ projectId, workspaceId }) => (projectId === null ? workspaceId : null),
      workspaces(actor, 'workspace:manage-members'),
    )
    const alone = new Set(found.filter(({ projectId }) => projectId !== null).map(({ id }) => id))
    return ids.map((id, index) => (alone.has(id) ? toProjects[index] : toWorkspaces[index]) as object)
  },

  AuthorizedApp: (actor, ids) =>
    own(
      'authorization',
      ids,
      () => authorizeAccount(actor),
      () => readAuthorizations(actor, ids),
    ),
  Session: (actor, ids) =>
    own(
      'session',
      ids,
      () => authorizeAccount(actor),
      () => readSessions(actor, ids),
    ),
  SshPublicKey: (actor, ids) =>
    own(
      'ssh_key',
      ids,
      () => authorizePersonal(actor, 'ssh_keys'),
      () => prisma().sshPublicKey.findMany({ where: { ...among(ids), userId: personOf(actor) } }),
    ),
  Notification: (actor, ids) =>
    own(
      'notification',
      ids,
      () => authorizePersonal(actor, 'notifications'),
      async () =>
        prisma().notification.findMany({ where: { AND: [among(ids), await visibleNotifications(actor)] } }),
    ),
}

/**
 * Reads the rows of one type by their ids. A few statements, however many ids.
 * @returns for each id, in order, the row, or the AppError that keeps the caller from it
 * @throws AppError what keeps the caller from all of the type
 */
export const readNodes = (
  type: NodeType,
  actor: Actor,
  ids: readonly string[],
  person: Person | null,
): ReturnType<ReadMany<object>> => readers[type](actor, ids, person)
