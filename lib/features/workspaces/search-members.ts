import { type NumberedPage, type NumberedRows, readNumbered, searchLiteral } from '@/lib/base/db/paging'
import { statement } from '@/lib/base/db/statements'
import type { Role } from '@/lib/policy/scopes'
import type { ListedMember } from './list-members'

/**
 * A member in the list for workspace admins, with the two-factor method and the time of the last activity.
 */
export type WatchedMember = ListedMember & {
  twoFactor: 'passkey' | 'app' | null
  /**
   * The time at which one of the user's browser sessions was last used. Null if the user has no stored
   * session.
   */
  lastActiveAt: Date | null
}

/** The SQL expression for each sort order. */
const orders = {
  name: 'u.name COLLATE natural_order',
  role: 'm.role',
  twoFactor: '(passkey OR app)',
  active: 'active.at',
  joined: 'm.created_at',
} as const

/** A column by which members can be sorted. */
type MemberOrder = keyof typeof orders

/**
 * The filter and the sort order of a list of members. An empty text and omitted filters match all members. By
 * default, members are sorted by name in ascending order.
 */
export type MemberQuery = {
  /** Part of a name or an email address. */
  text: string
  role?: Role | undefined
  /** Whether the members have set up two-factor authentication. */
  twoFactor?: boolean | undefined
  order?: MemberOrder
  descending?: boolean
}

const factors = `EXISTS (SELECT FROM passkeys WHERE user_id = u.id) AS passkey,
           EXISTS (SELECT FROM totp_secrets WHERE user_id = u.id AND confirmed_at IS NOT NULL) AS app`

const lastUse = 'SELECT max(last_used_at) AS at FROM sessions WHERE user_id = u.id'

type Row = Omit<WatchedMember, 'twoFactor'> & { passkey: boolean; app: boolean; total: number }
type Values = [
  workspaceId: string,
  text: string,
  role: Role | null,
  twoFactor: boolean | null,
  limit: number,
  offset: number,
]

/**
 * One statement for each combination of sort order and direction, because SQL does not allow parameters for
 * the order and the direction.
 */
const findIn = Object.fromEntries(
  Object.entries(orders).flatMap(([order, column]) =>
    (['ASC', 'DESC'] as const).map((direction) => [
      `${order} ${direction}`,
      statement<Row, Values>(
        `search-workspace-members-by-${order}-${direction}`,
        `SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role, m.created_at AS "createdAt",
          passkey, app, active.at AS "lastActiveAt", (count(*) OVER ())::int AS total
     FROM workspace_members m JOIN users u ON u.id = m.user_id
    CROSS JOIN LATERAL (SELECT ${factors}) factors
    CROSS JOIN LATERAL (${lastUse}) active
    WHERE m.workspace_id = $1 AND (u.name ILIKE '%' || $2 || '%' OR u.email ILIKE '%' || $2 || '%')
      AND ($3::text IS NULL OR m.role::text = $3)
      AND ($4::boolean IS NULL OR (passkey OR app) = $4)
    ORDER BY ${column} ${direction} NULLS LAST, u.name COLLATE natural_order, u.id LIMIT $5 OFFSET $6`,
      ),
    ]),
  ),
) as Record<`${MemberOrder} ${'ASC' | 'DESC'}`, (...values: Values) => Promise<Row[]>>

const findByName = statement<
  ListedMember & { total: number },
  [workspaceId: string, text: string, role: Role | null, limit: number, offset: number]
>(
  'search-workspace-members',
  `SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role, m.created_at AS "createdAt",
          (count(*) OVER ())::int AS total
     FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = $1 AND (u.name ILIKE '%' || $2 || '%' OR u.email ILIKE '%' || $2 || '%')
      AND ($3::text IS NULL OR m.role::text = $3)
    ORDER BY u.name COLLATE natural_order, u.id LIMIT $4 OFFSET $5`,
)

/**
 * Returns one page of a workspace's members that match a text and a role, in natural order of their names.
 * The caller must first check `workspace:read-members`.
 */
export const searchMembers = (
  workspaceId: string,
  { text, role }: Pick<MemberQuery, 'text' | 'role'>,
  page: NumberedPage,
): Promise<NumberedRows<ListedMember>> => {
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => findByName(workspaceId, literal, role ?? null, limit, offset))
}

/**
 * Returns one page of a workspace's members that match a query, with details that only admins can see. The
 * caller must first check `workspace:manage-members`.
 */
export async function searchWatchedMembers(
  workspaceId: string,
  { text, role, twoFactor, order = 'name', descending = false }: MemberQuery,
  page: NumberedPage,
): Promise<NumberedRows<WatchedMember>> {
  const literal = searchLiteral(text)
  const find = findIn[`${order} ${descending ? 'DESC' : 'ASC'}`]
  const found = await readNumbered(page, (limit, offset) =>
    find(workspaceId, literal, role ?? null, twoFactor ?? null, limit, offset),
  )
  const rows = found.rows.map(({ passkey, app, ...row }) => ({
    ...row,
    twoFactor: passkey ? ('passkey' as const) : app ? ('app' as const) : null,
  }))
  return { ...found, rows }
}

/** The counts on the tabs of the members page. */
export type MemberCounts = { members: number; invitations: number; external: number }

const usersOfProjectsOnly = `FROM project_members pm
     JOIN projects p ON p.id = pm.project_id JOIN users u ON u.id = pm.user_id
    WHERE p.workspace_id = $1
      AND NOT EXISTS (SELECT FROM workspace_members m WHERE m.workspace_id = $1 AND m.user_id = pm.user_id)`

const count = statement<MemberCounts, [workspaceId: string]>(
  'count-workspace-members',
  `SELECT (SELECT count(*) FROM workspace_members WHERE workspace_id = $1)::int AS members,
          (SELECT count(*) FROM invitations WHERE workspace_id = $1)::int AS invitations,
          (SELECT count(DISTINCT pm.user_id) ${usersOfProjectsOnly})::int AS external`,
)

/**
 * Counts a workspace's members, open invitations, and external users. The invitations include expired ones
 * and those to the workspace's projects. The caller must first check `workspace:manage-members`.
 */
export async function countMembers(workspaceId: string): Promise<MemberCounts> {
  const [counts] = await count(workspaceId)
  return counts ?? { members: 0, invitations: 0, external: 0 }
}

/** A user with roles in a workspace's projects, but no role in the workspace itself. */
export type ExternalUser = Pick<ListedMember, 'id' | 'name' | 'email' | 'avatarUrl'> & {
  /** The highest of the user's roles in the projects. */
  role: Role
  /**
   * The number of projects in which the user has a role. `projects` contains only the first few of them by
   * name.
   */
  projectCount: number
  projects: { id: string; name: string }[]
  lastActiveAt: Date | null
}

/** The maximum number of projects that a list shows for each user. */
const fewProjects = 3

const findExternal = statement<
  ExternalUser & { total: number },
  [workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-external-users',
  `SELECT found.*, (${lastUse.replace('u.id', 'found.id')}) AS "lastActiveAt" FROM (
     SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", min(pm.role)::text AS role, count(*)::int AS "projectCount",
            (array_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.name COLLATE natural_order))[1:${fewProjects}] AS projects,
            (count(*) OVER ())::int AS total
       ${usersOfProjectsOnly} AND (u.name ILIKE '%' || $2 || '%' OR u.email ILIKE '%' || $2 || '%')
      GROUP BY u.id ORDER BY u.name COLLATE natural_order, u.id LIMIT $3 OFFSET $4) found
    ORDER BY found.name COLLATE natural_order, found.id`,
)

/**
 * Returns one page of a workspace's external users, who have roles only in the workspace's projects. The
 * users are in natural order of their names. The caller must first check `workspace:manage-members`.
 * @param text part of a name or an email address; an empty text matches all
 */
export const searchExternalUsers = (
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<ExternalUser>> =>
  readNumbered(page, (limit, offset) => findExternal(workspaceId, searchLiteral(text), limit, offset))

const findChosen = statement<
  Omit<ListedMember, 'createdAt'>,
  [workspaceId: string, userIds: readonly string[]]
>(
  'chosen-workspace-members',
  `SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role
     FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = $1 AND m.user_id = ANY($2::uuid[])
    ORDER BY u.name COLLATE natural_order, u.id`,
)

/**
 * Returns the workspace's members among the users with these IDs, in natural order of their names. The caller
 * must first check `workspace:manage-members`.
 */
export const membersById = (workspaceId: string, userIds: readonly string[]) =>
  findChosen(workspaceId, userIds)
