import { pageStatement } from '@/lib/base/db/lists'
import { type CountedSlice, likeLiteral, type TextPage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { byName } from '@/lib/base/language/languages'
import { type AppProfile, profileOf } from '@/lib/features/apps/app-profile'
import { gatheredReach } from '@/lib/features/figures/count-usage'
import type { AppPolicy, ClientSource } from '@/lib/generated/prisma/enums'
import { type Actor, isApp } from '@/lib/policy/actor'
import { type Admission, type AppDecision, admissionOf, appRulesColumns } from '@/lib/policy/app-policy'
import { allowedTo } from '@/lib/policy/app-status'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { limitScopes, type Role } from '@/lib/policy/scopes'

/**
 * Requires somebody who may decide about apps: `workspace:decide-apps`, and no app, which could let itself in.
 * @throws AppError FORBIDDEN for an app, and as `authorizeWorkspace`
 */
export function requireDecider(actor: Actor, workspaceId: string): Promise<WorkspaceRow & { role: Role }> {
  if (isApp(actor)) throw new AppError('FORBIDDEN', 'Apps cannot manage apps. Use an API token.')
  return requireWorkspace(actor, 'workspace:decide-apps', workspaceId)
}

/** An app that members let into a workspace, or about which its admins decided. */
export type InstalledApp = {
  id: string
  /** Where it stands in the list: by name, as far as a cursor has room for it, and by what tells it from its namesakes. */
  place: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  source: ClientSource
  /** The workspace that runs it; null for an app that registered itself. */
  runBy: { id: string; name: string } | null
  /** Its transfer to that workspace is unfinished, so it does not count as its own app. */
  transferring: boolean
  verified: boolean
  /** The domain that its admins proved to be theirs. */
  domain: string | null
  disabled: boolean
  /** The scopes it asks for where it is installed; none, and it cannot be. */
  installScopes: string[]
  /** What it says of itself. */
  profile: AppProfile
  /** How many people let it in, and the first few by name. */
  people: number
  names: string[]
  /** What they allow it, each the most of any; scopes about workspaces and projects alone. */
  scopes: string[]
  /** Somebody selected the whole workspace; otherwise so many of its projects were selected. */
  whole: boolean
  projects: number
  /** When it last acted here for a user, by itself, or through SSO. */
  lastUsedAt: Date | null
  /** What it asked of the workspace in the last 30 days, today included: requests that were allowed something here. */
  requests: number
  /** How it is installed to act for the workspace by itself; null where it only acts for people. */
  installation: {
    id: string
    workspaceId: string
    workspaceName: string
    scopes: string[]
    /** The projects it is for; null for the whole workspace. */
    projectIds: string[] | null
    since: string
    lastUsedAt: string | null
    /** Since when it stands still; null while it works. */
    suspendedAt: string | null
  } | null
  /** What it may do for the people whom the workspace's identity provider names; null where nothing. */
  managed: { id: string; scopes: string[]; since: string; lastUsedAt: string | null } | null
  decision:
    | (AppDecision & {
        expiresAt: Date | null
        decidedAt: Date
        decidedBy: string | null
        word: string | null
      })
    | null
  /** The workspace's policy, under which it comes in so far. */
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

/** $1: the workspace. Members and those with a role in one of its projects alone, and what each lets in here. */
const given = `
  WITH mine AS (SELECT id FROM projects WHERE workspace_id = $1),
  people AS (
    SELECT user_id FROM workspace_members WHERE workspace_id = $1
     UNION SELECT user_id FROM project_members WHERE project_id IN (SELECT id FROM mine)),
  given AS (
    SELECT z.client_id, z.last_used_at, u.name AS person, z.scopes, $1 = ANY (z.workspace_ids) AS whole,
           ARRAY(SELECT id FROM mine WHERE id = ANY (z.project_ids)) AS projects
      FROM people JOIN users u ON u.id = people.user_id JOIN authorizations z ON z.user_id = people.user_id
     WHERE $1 = ANY (z.workspace_ids) OR z.project_ids && ARRAY(SELECT id FROM mine)),
  asked AS (
    SELECT client_id, sum(requests)::int AS requests FROM workspace_app_usage
     WHERE workspace_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - 30 GROUP BY client_id),
  known AS (
    SELECT client_id FROM given UNION SELECT client_id FROM installations WHERE workspace_id = $1
     UNION SELECT client_id FROM managed_apps WHERE workspace_id = $1 UNION SELECT client_id FROM workspace_apps WHERE workspace_id = $1 UNION SELECT $3::text)`

const matches = `($3::text IS NULL OR c.id = $3) AND (c.name ILIKE $2 OR c.id ILIKE $2)`

type Values = [workspaceId: string, pattern: string, clientId: string | null]

const find = pageStatement<Row, Values>(
  'installed-apps',
  `${given}, apps AS (
     SELECT c.id, count(g.person)::int AS people, max(g.last_used_at) AS "lastUsedAt",
            COALESCE(bool_or(g.whole), false) AS whole,
            COALESCE((array_agg(g.person ORDER BY g.person) FILTER (WHERE g.person IS NOT NULL))[1:5], '{}') AS names
       FROM known JOIN oauth_clients c ON c.id = known.client_id LEFT JOIN given g ON g.client_id = c.id
      GROUP BY c.id),
   allowed AS (
     SELECT client_id, array_agg(DISTINCT s ORDER BY s) AS scopes FROM given, unnest(given.scopes) s
      WHERE s ~ '^(workspace|project):' GROUP BY client_id),
   shared AS (
     SELECT client_id, count(DISTINCT one)::int AS projects FROM given, unnest(given.projects) one GROUP BY client_id)
     SELECT apps.*, c.name, c.homepage_url AS "homepageUrl", c.metadata, COALESCE(c.allowed_scopes, '{}') AS "mayAsk", COALESCE(c.install_scopes, '{}') AS "installScopes", c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", c.source, c.workspace_id AS "runById", c.transferred_at IS NOT NULL AS transferring, o.name AS "runByName",
            lower(left(c.name, 30)) || ' ' || left(md5(c.id), 12) AS place,
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
  3,
)

const countAll = statement<{ all: number }, Values>(
  'count-installed-apps',
  `${given} SELECT count(*)::int AS all FROM known JOIN oauth_clients c ON c.id = known.client_id WHERE ${matches}`,
)

/** Which of them: part of a name or client id; or one client id, of which nothing need be known here yet. */
export type InstalledFilter = { search?: string | null | undefined; clientId?: string }

/**
 * One page of the apps that anybody let into a workspace or one of its projects, and of those its admins decided about, by
 * name. Says of each what the next request of it would be told. One statement beside the check.
 * @throws AppError as `requireDecider`
 */
export async function listInstalled(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search, clientId }: InstalledFilter = {},
): Promise<CountedSlice<InstalledApp>> {
  const { id } = await requireDecider(actor, workspaceId)
  // What this process has seen in the last seconds belongs in the answer.
  await gatheredReach.now()
  const values: Values = [id, `%${likeLiteral(search ?? '')}%`, clientId ?? null]
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
  // An installation is an approval of its own: where nobody let the app in and no provider sends it, it is that which comes in.
  const installed = app.installation !== null && app.people === 0 && app.managed === null
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

/** As many as an approval can name. */
const mostProjects = 200

/**
 * One app as `listInstalled` lists them, also one that nobody has let in yet.
 * @throws AppError NOT_FOUND (no such app), and as `requireDecider`
 */
export async function findInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<InstalledApp> {
  const {
    rows: [app],
  } = await listInstalled(actor, workspaceId, only, { clientId })
  if (!app) throw new AppError('NOT_FOUND', 'There is no such app in this workspace.')
  return app
}

/**
 * The same with the workspace's projects that an approval can name and the scopes that open requests ask for.
 * @throws as `findInstalled`
 */
export async function readInstalled(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<{ app: InstalledApp; projects: { id: string; name: string }[]; asked: string[] }> {
  const app = await findInstalled(actor, workspaceId, clientId)
  const projects = await prisma().project.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostProjects,
  })
  const open = await prisma().workspaceAppRequest.findMany({
    where: { workspaceId, clientId, state: 'OPEN' },
    select: { scopes: true },
  })
  return { app, projects: projects.sort(byName), asked: [...new Set(open.flatMap(({ scopes }) => scopes))] }
}
