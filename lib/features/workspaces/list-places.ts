import { statement } from '@/lib/base/db/statements'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { allows } from '@/lib/policy/permissions'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { lacksTwoFactor } from '@/lib/policy/two-factor'

/**
 * A project or an OAuth app in a list of those that the user opened most recently, followed by the newest
 * ones.
 */
export type RecentPlace = {
  kind: 'project' | 'app'
  id: string
  name: string
  /** The description of a project, or the type of an app. */
  about: string
  logoUrl: string | null
  logoDarkUrl: string | null
  createdAt: Date
}

const find = statement<
  RecentPlace,
  [workspaceId: string, opened: readonly string[], projects: number, apps: number]
>(
  'list-recent-places',
  `(SELECT 'project' AS kind, id::text, name, description AS about, NULL AS "logoUrl", NULL AS "logoDarkUrl",
           created_at AS "createdAt", array_position($2::text[], id::text) AS place
      FROM projects WHERE workspace_id = $1 ORDER BY place, created_at DESC, id DESC LIMIT $3)
   UNION ALL
   (SELECT 'app', id, name, type::text, logo_url, logo_dark_url, created_at, array_position($2::text[], id) AS place
      FROM oauth_clients WHERE workspace_id = $1 AND source = 'SETTINGS' ORDER BY place, created_at DESC, id DESC LIMIT $4)
    ORDER BY kind, place, "createdAt" DESC, id DESC`,
)

/**
 * Returns a workspace's projects and OAuth apps, up to the numbers in `most`: first those that the user
 * opened most recently, then the newest ones. Excludes self-registered apps and metadata-document clients.
 * Includes apps only for users who can manage them. Uses one statement in addition to the permission check.
 * @param opened the IDs of the opened projects and apps, most recent first; IDs from other workspaces are
 * ignored
 * @throws the errors of `requireWorkspace` for `workspace:read`
 */
export async function listRecent(
  actor: Actor,
  workspaceId: string,
  opened: readonly string[],
  most: { projects: number; apps: number },
): Promise<{ projects: RecentPlace[]; apps: RecentPlace[] }> {
  const { id, role } = await requireWorkspace(actor, 'workspace:read', workspaceId)
  const rows = await find(id, opened, most.projects, allows(role, 'workspace:manage-apps') ? most.apps : 0)
  return {
    projects: rows.filter(({ kind }) => kind === 'project'),
    apps: rows.filter(({ kind }) => kind === 'app'),
  }
}

/** The highest count that is shown exactly. Higher counts are shown as "999+". */
export const mostCounted = 999

/**
 * The counts next to the pages of a workspace. Each count is at most `mostCounted` + 1, which is shown as
 * "999+". `requests` is the number of apps with open requests, as in the admins' inbox.
 */
export type PlaceCounts = { projects: number; members: number; requests: number }

const count = statement<PlaceCounts, [workspaceId: string, most: number, decides: boolean]>(
  'count-places',
  `SELECT (SELECT count(*)::int FROM (SELECT FROM projects WHERE workspace_id = $1 LIMIT $2) p) AS projects,
          (SELECT count(*)::int FROM (SELECT FROM workspace_members WHERE workspace_id = $1 LIMIT $2) m) AS members,
          (SELECT count(*)::int FROM (
             SELECT DISTINCT client_id FROM workspace_app_requests
              WHERE workspace_id = $1 AND state = 'OPEN' AND $3 LIMIT $2) r) AS requests`,
)

/**
 * Returns the counts in the navigation rail. The count of requested apps is 0 for users who cannot decide
 * about apps. Uses one statement, which stops counting each kind of row at `mostCounted` + 1.
 * @param workspace the workspace, as returned in the actor's list of workspaces
 * @returns undefined for users without a role in the workspace, and for sessions without two-factor
 * authentication if the workspace requires it
 */
export async function countPlaces(
  actor: SessionActor,
  { id, role, requireTwoFactor }: WorkspaceRow,
): Promise<PlaceCounts | undefined> {
  if (!allows(role, 'workspace:read') || (requireTwoFactor && lacksTwoFactor(actor))) return undefined
  const [counts] = await count(id, mostCounted + 1, allows(role, 'workspace:decide-apps'))
  return counts
}
