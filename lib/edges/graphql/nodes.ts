import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { readAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { readSessions } from '@/lib/features/identity/sessions/list-sessions'
import { visibleNotifications } from '@/lib/features/notifications/read-notifications'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount, authorizePersonal, personOf, refusedEnvironment } from '@/lib/policy/authorize'
import type { Person } from '@/lib/policy/bearer'
import type { ProjectPermission, WorkspacePermission } from '@/lib/policy/permissions'
import { requireProjects, requireWorkspaces } from '@/lib/policy/require'
import { builder } from './builder'

const types = new WeakMap<object, NodeType>()

/** Remembers which type a row is of, for a field that may answer several. */
export function nodeOf<Row extends object>(type: NodeType, row: Row): Row & { id: string } {
  types.set(row, type)
  return row as Row & { id: string }
}

/** Whatever has an id by which it can be asked for again. */
export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object with an ID that `node` accepts.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The ID. No two objects share one.' }) }),
  resolveType: (row) => types.get(row),
})

/** The types that an id can name, with the table of each. Ids are UUIDs, so that no two tables share one. */
const tables = {
  Workspace: 'workspaces',
  Project: 'projects',
  Environment: 'environments',
  Variable: 'variables',
  ApiToken: "api_tokens WHERE kind <> 'PROJECT'",
  ProjectToken: "api_tokens WHERE kind = 'PROJECT'",
  AuthorizedApp: 'authorizations',
  Webhook: 'webhooks',
  WebhookDelivery: 'webhook_deliveries',
  WorkspaceInvitation: 'invitations',
  AuditLog: 'audit_events',
  Notification: 'notifications',
  SshPublicKey: 'ssh_public_keys',
  Session: 'sessions',
  User: 'users',
}

/** A type whose rows can be asked for by their ids alone. */
export type NodeType = keyof typeof tables | 'OAuthApp'

const findAmong = statement<{ id: string; type: NodeType }, [ids: readonly string[]]>(
  'find-node-types',
  Object.entries(tables)
    .map(([type, table]) => {
      const from = table.includes(' WHERE ') ? `${table} AND` : `${table} WHERE`
      return `SELECT id, '${type}' AS type FROM ${from} id = ANY ($1::uuid[])`
    })
    .join(' UNION ALL '),
)

/**
 * Which type each of several ids names, whether the caller may know of it or not. One statement, which looks the ids up in
 * the key of each table. A client id says by its form what it is.
 */
export async function findTypes(ids: readonly string[]): Promise<Map<string, NodeType>> {
  const types = new Map<string, NodeType>()
  for (const id of ids) if (id.startsWith('lk_app_')) types.set(id, 'OAuthApp')
  const uuids = ids.filter(isId)
  if (uuids.length > 0) for (const { id, type } of await findAmong(uuids)) types.set(id, type)
  return types
}

/** Reads what several ids name, in their order; an Error in the place of one concerns that one alone. */
export type ReadMany<Row> = (ids: readonly string[]) => Promise<readonly (Row | Error)[]>

/** What a caller is told of an id that names nothing, or nothing they may know of. */
export const unknown = (type: string, id: string): AppError =>
  new AppError('NOT_FOUND', `There is no such ${type.replaceAll('_', ' ')}, or you cannot see it.`, {
    resource: { type, id },
  })

/**
 * Lets rows through by what they belong to, such as webhooks by their workspaces. Who may not know of the owner learns
 * nothing of the row either.
 * @param type of the rows, as errors name it
 * @param found the rows that are there, in any order
 * @param ownerOf the id of what a row belongs to; null for none, which nobody may read
 * @param owners decides for each owner
 * @param join the row with its owner
 */
async function through<Row extends { id: string }, Owner, Value = Row>(
  { type, ids, found }: { type: string; ids: readonly string[]; found: readonly Row[] },
  ownerOf: (row: Row) => string | null,
  owners: ReadMany<Owner>,
  join: (row: Row, owner: Owner) => Value = (row) => row as unknown as Value,
): Promise<(Value | Error)[]> {
  const rows = new Map(found.map((row) => [row.id, row]))
  const ownerIds = [...new Set(found.flatMap((row) => ownerOf(row) ?? []))]
  const decided = ownerIds.length === 0 ? [] : await owners(ownerIds)
  const byOwner = new Map(ownerIds.map((id, index) => [id, decided[index]]))
  return ids.map((id) => {
    const row = rows.get(id.toLowerCase()) ?? rows.get(id)
    const owner = row && byOwner.get(ownerOf(row) ?? '')
    if (!row || owner === undefined) return unknown(type, id)
    if (!(owner instanceof Error)) return join(row, owner)
    return isAppError(owner) && owner.code === 'NOT_FOUND' ? unknown(type, id) : owner
  })
}

/** The person's own rows: what is somebody else's is not there. @param authorize throws what keeps all of them back */
async function own<Row extends { id: string }>(
  type: string,
  ids: readonly string[],
  authorize: () => void,
  read: () => Promise<Row[]>,
): Promise<(Row | Error)[]> {
  authorize()
  const rows = new Map((await read()).map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id.toLowerCase()) ?? unknown(type, id))
}

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
