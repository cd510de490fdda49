import { pageStatement } from '@/lib/base/db/lists'
import { type CountedSlice, likeLiteral, type TextPage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { byName } from '@/lib/base/language/languages'
import { type AppProfile, profileOf } from '@/lib/features/apps/app-profile'
import { workspaceRequestTally } from '@/lib/features/figures/count-usage'
import type { AppPolicy, ClientSource } from '@/lib/generated/prisma/enums'
import { type Actor, isApp } from '@/lib/policy/actor'
import {
  type Admission,
  type AppDecision,
  type AppState,
  admissionOf,
  appRulesColumns,
  appStateColumn,
} from '@/lib/policy/app-policy'
import { allowedTo } from '@/lib/policy/app-status'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { limitScopes, type Role } from '@/lib/policy/scopes'

/**
 * Returns a workspace and the actor's role in it. Requires `workspace:decide-apps`. Rejects apps, because an
 * app could otherwise approve itself.
 * @throws AppError FORBIDDEN for an app, and the errors of `requireWorkspace`
 */
export function requireDecider(actor: Actor, workspaceId: string): Promise<WorkspaceRow & { role: Role }> {
  if (isApp(actor))
    throw new AppError('FORBIDDEN', 'An app can’t manage a workspace’s apps. Use an API token.')
  return requireWorkspace(actor, 'workspace:decide-apps', workspaceId)
}

/**
 * An app that users authorized for a workspace, that is installed or SSO-managed there, or that was approved
 * or blocked there.
 */
export type InstalledApp = {
  id: string
  /**
   * The app's position in the list: its name, shortened to fit a cursor, and a value that distinguishes equal
   * names.
   */
  place: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  source: ClientSource
  /**
   * The workspace that owns the app. Null if no workspace owns the app, such as for a self-registered app.
   */
  runBy: { id: string; name: string } | null
  /**
   * Whether the app's transfer to that workspace is unfinished. Until the transfer is finished, the app does
   * not count as the workspace's own app.
   */
  transferring: boolean
  verified: boolean
  /** The app's verified domain. Null if the app has none. */
  domain: string | null
  disabled: boolean
  /** The scopes that the app requests for an installation. Empty if the app cannot be installed. */
  installScopes: string[]
  profile: AppProfile
  /** The number of users who authorized the app for this workspace or one of its projects. */
  users: number
  /** The names of the first five of these users, in alphabetical order. */
  names: string[]
  /** The workspace, project, and API scopes that users authorized and that the app can still request. */
  scopes: string[]
  /** Whether at least one user selected the whole workspace. */
  whole: boolean
  /** The number of projects that users selected individually. */
  projects: number
  /**
   * When the app last acted for one of these users (in any workspace), as the installation, or through
   * SSO-managed access. Null if the app has not acted yet.
   */
  lastUsedAt: Date | null
  /** The number of authorized requests in this workspace in the last 30 days, including today. */
  requests: number
  /**
   * The app's installation, which acts for the workspace without a user. Null if the app is not installed.
   */
  installation: {
    id: string
    workspaceId: string
    workspaceName: string
    scopes: string[]
    /** The projects that the installation can access. Null for the whole workspace. */
    projectIds: string[] | null
    since: string
    lastUsedAt: string | null
    /** When the installation was suspended. Null if it is active. */
    suspendedAt: string | null
  } | null
  /**
   * The app's SSO-managed access for users of the workspace's identity provider. Null if the app is not
   * SSO-managed.
   */
  managed: { id: string; scopes: string[]; since: string; lastUsedAt: string | null } | null
  decision:
    | (AppDecision & {
        expiresAt: Date | null
        decidedAt: Date
        decidedBy: string | null
        word: string | null
      })
    | null
  /**
   * The workspace's app policy. A block overrides the policy. An approval matters only if the policy requires
   * approval.
   */
  appPolicy: AppPolicy
  admission: Admission
}

type Row = Omit<InstalledApp, 'runBy' | 'admission' | 'decision' | 'profile'> & {
  homepageUrl: string | null
  metadata: unknown
  mayAsk: string[]
  runById: string | null
  runByName: string | null
  appDecision: AppDecision | null
  expiresAt: Date | null
  decidedAt: Date | null
  decidedBy: string | null
  word: string | null
}

/**
 * SQL for the workspace's users (members, and users with only a project role) and the resources that each of
 * them shares with apps. $1: the workspace.
 */
const sharing = `
  WITH mine AS (SELECT id FROM projects WHERE workspace_id = $1),
  workspace_users AS (
    SELECT user_id FROM workspace_members WHERE workspace_id = $1
     UNION SELECT user_id FROM project_members WHERE project_id IN (SELECT id FROM mine)),
  given AS (
    SELECT z.client_id, z.user_id, z.last_used_at, u.name AS user_name, z.scopes || api.scopes AS scopes,
           $1 = ANY (z.workspace_ids) OR api.whole AS whole,
           ARRAY(SELECT id FROM mine WHERE id = ANY (z.project_ids || api.projects)) AS projects
      FROM workspace_users w JOIN users u ON u.id = w.user_id JOIN authorizations z ON z.user_id = w.user_id
     CROSS JOIN LATERAL (
       SELECT EXISTS (SELECT FROM api_grants g WHERE g.authorization_id = z.id AND $1 = ANY (g.workspace_ids)) AS whole,
              ARRAY(SELECT p FROM api_grants g, unnest(g.project_ids) p WHERE g.authorization_id = z.id) AS projects,
              ARRAY(SELECT s FROM api_grants g, unnest(g.scopes) s WHERE g.authorization_id = z.id
                     AND ($1 = ANY (g.workspace_ids) OR g.project_ids && ARRAY(SELECT id FROM mine))) AS scopes) api
     WHERE $1 = ANY (z.workspace_ids) OR z.project_ids && ARRAY(SELECT id FROM mine)
        OR api.whole OR api.projects && ARRAY(SELECT id FROM mine))`

/**
 * SQL that adds two tables to `sharing`: the apps' usage in the last 30 days, and the IDs of the apps that
 * users authorized, that are installed or SSO-managed, or that admins approved or blocked. If $3 is not null,
 * the app with that ID is always included.
 */
const given = `${sharing},
  asked AS (
    SELECT client_id, sum(requests)::int AS requests FROM workspace_app_usage
     WHERE workspace_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - 30 GROUP BY client_id),
  known AS (
    SELECT client_id FROM given UNION SELECT client_id FROM installations WHERE workspace_id = $1
     UNION SELECT client_id FROM managed_apps WHERE workspace_id = $1 UNION SELECT client_id FROM workspace_apps WHERE workspace_id = $1 UNION SELECT $3::text)`

/** SQL: the `AppState` of the app `c`, as the list shows it. Disabled apps count as excluded. */
const state = `CASE WHEN c.disabled_at IS NOT NULL THEN 'EXCLUDED' ELSE ${appStateColumn(
  'c.id',
  'CASE WHEN c.transferred_at IS NULL THEN c.workspace_id END',
  `(EXISTS (SELECT FROM installations WHERE workspace_id = $1 AND client_id = c.id)
    AND c.id NOT IN (SELECT client_id FROM given)
    AND NOT EXISTS (SELECT FROM managed_apps WHERE workspace_id = $1 AND client_id = c.id))`,
)} END`

const matches = `($3::text IS NULL OR c.id = $3) AND (c.name ILIKE $2 OR c.id ILIKE $2) AND ($4::text IS NULL OR $4 = ${state})`

type Values = [workspaceId: string, pattern: string, clientId: string | null, state: AppState | null]

const find = pageStatement<Row, Values>(
  'installed-apps',
  `${given}, apps AS (
     SELECT c.id, count(g.user_name)::int AS users, max(g.last_used_at) AS "lastUsedAt",
            COALESCE(bool_or(g.whole), false) AS whole,
            COALESCE((array_agg(g.user_name ORDER BY g.user_name) FILTER (WHERE g.user_name IS NOT NULL))[1:5], '{}') AS names
       FROM known JOIN oauth_clients c ON c.id = known.client_id LEFT JOIN given g ON g.client_id = c.id
      GROUP BY c.id),
   allowed AS (
     SELECT client_id, array_agg(DISTINCT s ORDER BY s) AS scopes FROM given, unnest(given.scopes) s
      WHERE s ~ '^(workspace|project):' OR EXISTS (SELECT FROM api_scopes WHERE name = s) GROUP BY client_id),
   shared AS (
     SELECT client_id, count(DISTINCT one)::int AS projects FROM given, unnest(given.projects) one GROUP BY client_id)
     SELECT apps.*, c.name, c.homepage_url AS "homepageUrl", c.metadata, COALESCE(c.allowed_scopes, '{}') AS "mayAsk", COALESCE(c.install_scopes, '{}') AS "installScopes", c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", c.source, c.workspace_id AS "runById", c.transferred_at IS NOT NULL AS transferring, o.name AS "runByName",
            lower(left(c.name, 30)) || chr(9) || left(md5(c.id), 12) AS place,
            c.verified_at IS NOT NULL AS verified,
            (SELECT ad.domain FROM app_domains ad WHERE ad.client_id = c.id AND ad.verified_at IS NOT NULL) AS domain, c.disabled_at IS NOT NULL AS disabled,
            COALESCE(allowed.scopes, '{}') AS scopes, COALESCE(shared.projects, 0) AS projects,
            (SELECT json_build_object('id', i.id, 'workspaceId', i.workspace_id, 'workspaceName', w.name, 'scopes', COALESCE(i.scopes, '{}'), 'since', i.created_at, 'lastUsedAt', i.last_used_at, 'suspendedAt', i.suspended_at,
                      'projectIds', CASE WHEN NOT i.all_projects THEN i.project_ids END)
               FROM installations i WHERE i.workspace_id = $1 AND i.client_id = c.id) AS installation,
            COALESCE(asked.requests, 0) AS requests,
            (SELECT json_build_object('id', m.id, 'scopes', COALESCE(m.scopes, '{}'), 'since', m.created_at, 'lastUsedAt', m.last_used_at)
               FROM managed_apps m WHERE m.workspace_id = $1 AND m.client_id = c.id) AS managed,
            made.expires_at AS "expiresAt", made.decided_at AS "decidedAt", d.name AS "decidedBy", made.word,
            ${appRulesColumns('c.id')}
       FROM apps JOIN oauth_clients c ON c.id = apps.id
       LEFT JOIN allowed ON allowed.client_id = c.id LEFT JOIN shared ON shared.client_id = c.id
       LEFT JOIN asked ON asked.client_id = c.id
       JOIN workspaces w ON w.id = $1
       LEFT JOIN workspaces o ON o.id = c.workspace_id
       LEFT JOIN workspace_apps made ON made.workspace_id = $1 AND made.client_id = c.id
       LEFT JOIN users d ON d.id = made.decided_by_id
      WHERE ${matches}`,
  4,
  'natural_order',
)

const countAll = statement<{ all: number }, Values>(
  'count-installed-apps',
  `${given} SELECT count(*)::int AS all FROM known JOIN oauth_clients c ON c.id = known.client_id
     JOIN workspaces w ON w.id = $1 WHERE ${matches}`,
)

/** Counts the users who share the workspace or its projects with at least one of several apps. */
export const countUsersOf = statement<{ users: number }, [workspaceId: string, clientIds: string[]]>(
  'count-users-of-apps',
  `${sharing} SELECT count(DISTINCT user_id)::int AS users FROM given WHERE client_id = ANY ($2)`,
)

/**
 * A filter by part of a name or client ID, by state, or by one exact client ID. The exact client ID also
 * finds an app that is not in the list yet.
 */
export type InstalledFilter = {
  search?: string | null | undefined
  clientId?: string
  state?: AppState | undefined
}

/**
 * Returns one page of a workspace's apps: those that users authorized, that are installed or SSO-managed, or
 * that admins approved or blocked. Only apps that match the filter are returned, sorted by name in natural
 * order, each with its current access. After the permission check, one statement reads the page.
 * @throws the errors of `requireDecider`
 */
export async function listInstalled(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search, clientId, state }: InstalledFilter = {},
): Promise<CountedSlice<InstalledApp>> {
  const { id } = await requireDecider(actor, workspaceId)
  // Write the requests that this process counted in the last few seconds, so that the usage includes them.
  await workspaceRequestTally.now()
  const values: Values = [id, `%${likeLiteral(search ?? '')}%`, clientId ?? null, state ?? null]
  const { rows, ...sides } = await find(page, ...values)
  return {
    rows: rows.map((row) => toApp(id, row)),
    ...sides,
    count: async () => (await countAll(...values))[0]?.all ?? 0,
  }
}

function toApp(workspaceId: string, row: Row): InstalledApp {
  const { runById, runByName, homepageUrl, metadata, mayAsk, ...rest } = row
  const { appDecision, expiresAt, decidedAt, decidedBy, word, ...app } = rest
  // An installation needs no separate approval. Apply this exception only if the installation is the app's
  // only access: no user authorized the app, and the app is not SSO-managed.
  const installed = app.installation !== null && app.users === 0 && app.managed === null
  const judged = { clientId: app.id, workspaceId: app.transferring ? null : runById, installed }
  const { installation } = app
  const others = [installation?.lastUsedAt, app.managed?.lastUsedAt].flatMap((at) =>
    at ? [new Date(at)] : [],
  )
  return {
    ...app,
    lastUsedAt: others.reduce((one, other) => (other > (one ?? 0) ? other : one), app.lastUsedAt),
    scopes: limitScopes(app.scopes, allowedTo(app.id, mayAsk)),
    managed: app.managed && {
      ...app.managed,
      scopes: limitScopes(app.managed.scopes, allowedTo(app.id, mayAsk)),
    },
    installation: installation && {
      ...installation,
      scopes: limitScopes(installation.scopes, mayAsk),
    },
    profile: profileOf({ homepageUrl, metadata }),
    runBy: runById === null ? null : { id: runById, name: runByName ?? '' },
    decision: appDecision && decidedAt ? { ...appDecision, expiresAt, decidedAt, decidedBy, word } : null,
    admission: admissionOf(judged, workspaceId, { appPolicy: app.appPolicy, appDecision }),
  }
}

const only = { limit: 1, backward: false, after: null, before: null }

/** The maximum number of projects that an admin can select from. */
const mostProjects = 500

/**
 * Returns one app in the form of `listInstalled`, even if the app is not in that list yet.
 * @throws AppError NOT_FOUND (no such app), and the errors of `requireDecider`
 */
export async function findInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<InstalledApp> {
  const {
    rows: [app],
  } = await listInstalled(actor, workspaceId, only, { clientId })
  if (!app) throw new AppError('NOT_FOUND', 'The app was not found in this workspace.')
  return app
}

/**
 * Returns an app as `findInstalled` does, with the projects that an admin can select and the scopes in open
 * requests.
 * @returns `projects`: up to `mostProjects` projects, sorted by name; `moreProjects`: the number of further
 * projects; `asked`: the scopes in open requests
 * @throws the errors of `findInstalled`
 */
export async function readInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<{
  app: InstalledApp
  projects: { id: string; name: string }[]
  moreProjects: number
  asked: string[]
}> {
  const app = await findInstalled(actor, workspaceId, clientId)
  const projects = await prisma().project.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostProjects,
  })
  const all =
    projects.length < mostProjects
      ? projects.length
      : await prisma().project.count({ where: { workspaceId } })
  const open = await prisma().workspaceAppRequest.findMany({
    where: { workspaceId, clientId, state: 'OPEN' },
    select: { scopes: true },
  })
  return {
    app,
    projects: projects.sort(byName),
    moreProjects: all - projects.length,
    asked: [...new Set(open.flatMap(({ scopes }) => scopes))],
  }
}
