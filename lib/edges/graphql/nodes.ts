import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { readAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { readSessions } from '@/lib/features/identity/sessions/list-sessions'
import { visibleNotifications } from '@/lib/features/notifications/read-notifications'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount, authorizePersonal, environmentRefusal, userOf } from '@/lib/policy/authorize'
import type { User } from '@/lib/policy/bearer'
import type { ProjectPermission, WorkspacePermission } from '@/lib/policy/permissions'
import { requireProjects, requireWorkspaces } from '@/lib/policy/require'
import { builder } from './builder'

const types = new WeakMap<object, NodeType>()

/** Stores the type of a row, so that the `Node` interface can resolve it. @returns the same row */
export function nodeOf<Row extends object>(type: NodeType, row: Row): Row & { id: string } {
  types.set(row, type)
  return row as Row & { id: string }
}

/** An object with an ID that `node` accepts. */
export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object with an ID that `node` accepts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the object. It is unique across all types.' }),
  }),
  resolveType: (row) => types.get(row),
})

/**
 * The types that `node` returns, except `OAuthApp`, with their tables. The IDs of these types are UUIDs, so
 * they are unique across tables.
 */
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

/** A type with rows that can be read by ID alone. */
export type NodeType = keyof typeof tables | 'OAuthApp'

const findTypesSql = statement<{ id: string; type: NodeType }, [ids: readonly string[]]>(
  'find-node-types',
  Object.entries(tables)
    .map(([type, table]) => {
      const from = table.includes(' WHERE ') ? `${table} AND` : `${table} WHERE`
      return `SELECT id, '${type}' AS type FROM ${from} id = ANY ($1::uuid[])`
    })
    .join(' UNION ALL '),
)

/**
 * Returns the type of each ID, regardless of the caller's access. One statement looks up all UUIDs in the
 * primary keys of the tables. The result contains the UUIDs that exist, in lowercase. Client IDs are
 * recognized by their format and are not looked up, so the result contains even those that do not exist.
 */
export async function findTypes(ids: readonly string[]): Promise<Map<string, NodeType>> {
  const types = new Map<string, NodeType>()
  for (const id of ids) if (id.startsWith('lk_app_')) types.set(id, 'OAuthApp')
  const uuids = ids.filter(isId)
  if (uuids.length > 0) for (const { id, type } of await findTypesSql(uuids)) types.set(id, type)
  return types
}

/** A function that reads the rows of several IDs, in order. An Error replaces a row that cannot be read. */
export type ReadMany<Row> = (ids: readonly string[]) => Promise<readonly (Row | Error)[]>

/** Returns the error for an ID that does not exist or that the caller cannot see. */
export const notFound = (type: string, id: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `The ${type.replaceAll('_', ' ')} was not found, or you don’t have access to it.`,
    {
      resource: { type, id },
    },
  )

/**
 * Authorizes rows by their owner, such as webhooks by their workspace. Callers who cannot see the owner get
 * the same error as for a row that does not exist.
 * @param type the type of the rows, as shown in errors
 * @param ids the requested IDs
 * @param found the existing rows, in any order
 * @param ownerOf returns the ID of a row's owner, or null if no one can read the row
 * @param owners returns each owner, or an Error for an owner that the caller cannot access
 * @param join returns the value or the Error for a row and its owner; by default, the row
 * @returns for each ID, in order, the value or the Error that denies it
 */
async function authorizeByOwner<Row extends { id: string }, Owner, Value = Row>(
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
    if (!row || owner === undefined) return notFound(type, id)
    if (!(owner instanceof Error)) return join(row, owner)
    return isAppError(owner) && owner.code === 'NOT_FOUND' ? notFound(type, id) : owner
  })
}

/**
 * Reads the user's own rows and reports all other IDs as not found.
 * @param authorize throws if the caller cannot access rows of this type
 * @param read returns the user's rows, in any order
 * @returns for each ID, in order, the row or the NOT_FOUND error
 * @throws the error of `authorize`
 */
async function readOwn<Row extends { id: string }>(
  type: string,
  ids: readonly string[],
  authorize: () => void,
  read: () => Promise<Row[]>,
): Promise<(Row | Error)[]> {
  authorize()
  const rows = new Map((await read()).map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id.toLowerCase()) ?? notFound(type, id))
}

type Reader = (actor: Actor, ids: readonly string[], user: User | null) => ReturnType<ReadMany<object>>

const workspaces =
  (actor: Actor, permission: WorkspacePermission): ReadMany<object> =>
  (ids) =>
    requireWorkspaces(actor, permission, ids)

const projects = (actor: Actor, permission: ProjectPermission) => (ids: readonly string[]) =>
  requireProjects(actor, permission, ids)

/** Returns a condition for the rows with these IDs. Malformed IDs match nothing. */
const among = (ids: readonly string[]) => ({ id: { in: ids.filter(isId) } })

/**
 * For each type, a function that reads rows by ID. The function applies the same access rules as the field
 * that returns a single row of this type.
 */
const readers: Record<NodeType, Reader> = {
  Workspace: (actor, ids) => requireWorkspaces(actor, 'workspace:read', ids),
  Project: (actor, ids) => requireProjects(actor, 'project:read', ids),
  User: async (_actor, ids, user) =>
    readOwn(
      'user',
      ids,
      () => {},
      async () => (user ? [user] : []),
    ),

  async Environment(actor, ids) {
    const found = await prisma().environment.findMany({ where: among(ids) })
    const rows = { type: 'environment', ids, found }
    return authorizeByOwner(
      rows,
      ({ projectId }) => projectId,
      projects(actor, 'project:read'),
      (row) => environmentRefusal(actor, row.id) ?? row,
    )
  },
  async Variable(actor, ids) {
    const found = await prisma().variable.findMany({
      where: among(ids),
      include: { environment: { select: { projectId: true } } },
    })
    const rows = { type: 'variable', ids, found }
    return authorizeByOwner(
      rows,
      ({ environment }) => environment.projectId,
      projects(actor, 'project:read'),
      (row, project) => environmentRefusal(actor, row.environmentId) ?? { ...row, project },
    )
  },
  async ProjectToken(actor, ids) {
    const found = await prisma().apiToken.findMany({ where: { ...among(ids), kind: 'PROJECT' } })
    const rows = { type: 'api_token', ids, found }
    return authorizeByOwner(rows, ({ projectId }) => projectId, projects(actor, 'project:manage-tokens'))
  },
  ApiToken: (actor, ids) =>
    readOwn(
      'api_token',
      ids,
      () => authorizeAccount(actor),
      () =>
        prisma().apiToken.findMany({
          where: { ...among(ids), userId: userOf(actor), kind: { not: 'PROJECT' } },
        }),
    ),

  async OAuthApp(actor, ids) {
    const found = await prisma().oAuthClient.findMany({ where: { id: { in: [...ids] }, source: 'SETTINGS' } })
    const rows = { type: 'oauth_app', ids, found }
    return authorizeByOwner(
      rows,
      ({ workspaceId }) => workspaceId,
      workspaces(actor, 'workspace:manage-apps'),
    )
  },
  async Webhook(actor, ids) {
    const found = await prisma().webhook.findMany({ where: among(ids) })
    const rows = { type: 'webhook', ids, found }
    return authorizeByOwner(
      rows,
      ({ workspaceId }) => workspaceId,
      workspaces(actor, 'workspace:manage-webhooks'),
    )
  },
  async WebhookDelivery(actor, ids) {
    const found = await prisma().webhookDelivery.findMany({
      where: among(ids),
      include: { webhook: { select: { workspaceId: true } } },
    })
    const rows = { type: 'webhook_delivery', ids, found }
    const ownerOf = ({ webhook }: (typeof found)[number]) => webhook.workspaceId
    return authorizeByOwner(rows, ownerOf, workspaces(actor, 'workspace:manage-webhooks'))
  },
  async AuditLog(actor, ids) {
    const found = await prisma().auditEvent.findMany({ where: among(ids) })
    const rows = { type: 'audit_log', ids, found }
    return authorizeByOwner(rows, ({ workspaceId }) => workspaceId, workspaces(actor, 'workspace:read-audit'))
  },
  /**
   * Invitations to a single project are visible to the project's admins. Other invitations are visible to the
   * workspace's admins.
   */
  async WorkspaceInvitation(actor, ids) {
    const found = await prisma().invitation.findMany({ where: among(ids) })
    const rows = { type: 'invitation', ids, found }
    const toProjects = await authorizeByOwner(
      rows,
      ({ projectId }) => projectId,
      projects(actor, 'project:manage-members'),
    )
    const toWorkspaces = await authorizeByOwner(
      rows,
      ({ projectId, workspaceId }) => (projectId === null ? workspaceId : null),
      workspaces(actor, 'workspace:manage-members'),
    )
    const alone = new Set(found.filter(({ projectId }) => projectId !== null).map(({ id }) => id))
    return ids.map((id, index) => (alone.has(id) ? toProjects[index] : toWorkspaces[index]) as object)
  },

  AuthorizedApp: (actor, ids) =>
    readOwn(
      'authorization',
      ids,
      () => authorizeAccount(actor),
      () => readAuthorizations(actor, ids),
    ),
  Session: (actor, ids) =>
    readOwn(
      'session',
      ids,
      () => authorizeAccount(actor),
      () => readSessions(actor, ids),
    ),
  SshPublicKey: (actor, ids) =>
    readOwn(
      'ssh_key',
      ids,
      () => authorizePersonal(actor, 'ssh_keys'),
      () => prisma().sshPublicKey.findMany({ where: { ...among(ids), userId: userOf(actor) } }),
    ),
  Notification: (actor, ids) =>
    readOwn(
      'notification',
      ids,
      () => authorizePersonal(actor, 'notifications'),
      async () =>
        prisma().notification.findMany({ where: { AND: [among(ids), await visibleNotifications(actor)] } }),
    ),
}

/**
 * Reads the rows of one type by ID. The number of statements does not depend on the number of IDs.
 * @returns for each ID, in order, the row or the AppError that denies it
 * @throws AppError if the caller's credentials never give access to rows of this type
 */
export const readNodes = (
  type: NodeType,
  actor: Actor,
  ids: readonly string[],
  user: User | null,
): ReturnType<ReadMany<object>> => readers[type](actor, ids, user)
