import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/** How long something counts as recent: a week. */
const newsDays = 7

/** How long before its expiry a token is shown, and how long before that it needs attention today. */
const [expiringDays, soonDays] = [30, 7]

/** How many items of each kind are shown. */
const few = { refused: 3, expiring: 5 }

/** The requests of a workspace's apps on one day (UTC). */
export type DayOfApps = { day: string; authorizations: number; requests: number; errors: number }

/** An app of the workspace with recent failed requests: how many, the last one, and its error. */
export type RefusedApp = { id: string; name: string; times: number; lastAt: Date; why: string }

/** A token that expires soon or expired within the last days. */
export type ExpiringToken = {
  id: string
  name: string
  kind: 'ACCOUNT' | 'WORKSPACE' | 'PROJECT'
  lastFour: string
  expiresAt: Date
  lastUsedAt: Date | null
  /** The owner. */
  user: string
  project: string | null
  /** How soon it expires. */
  state: 'ended' | 'soon' | 'later'
}

const findDays = statement<DayOfApps, [workspaceId: string, days: number]>(
  'overview-days',
  `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, COALESCE(sum(u.authorizations), 0)::int AS authorizations,
          COALESCE(sum(u.requests), 0)::int AS requests, COALESCE(sum(u.errors), 0)::int AS errors
     FROM generate_series((now() AT TIME ZONE 'UTC')::date - ($2::int - 1), (now() AT TIME ZONE 'UTC')::date, '1 day') d(day)
     LEFT JOIN (app_usage u JOIN oauth_clients c ON c.id = u.client_id AND c.workspace_id = $1) ON u.day = d.day::date
    GROUP BY d.day ORDER BY d.day`,
)

const findRefused = statement<RefusedApp & { all: number }, [workspaceId: string, days: number, few: number]>(
  'overview-refusals',
  `SELECT c.id, c.name, f.times, f.last_at AS "lastAt", f.why, count(*) OVER ()::int AS "all"
     FROM oauth_clients c CROSS JOIN LATERAL (
       SELECT count(*)::int AS times, max(created_at) AS last_at,
              (array_agg(COALESCE(reason, description) ORDER BY created_at DESC))[1] AS why
         FROM app_failures WHERE client_id = c.id AND created_at > now() - $2 * interval '1 day') f
    WHERE c.workspace_id = $1 AND c.source = 'SETTINGS' AND f.times > 0
    ORDER BY f.last_at DESC LIMIT $3`,
)

const findExpiring = statement<
  ExpiringToken & { pressing: number },
  [workspaceId: string, userId: string | null, ahead: number, behind: number, soon: number, few: number]
>(
  'overview-expiring-tokens',
  `SELECT t.id, t.name, t.kind, t.last_four AS "lastFour", t.expires_at AS "expiresAt",
          t.last_used_at AS "lastUsedAt", u.name AS "user", p.name AS project,
          CASE WHEN t.expires_at <= now() THEN 'ended'
               WHEN t.expires_at < now() + $5 * interval '1 day' THEN 'soon' ELSE 'later' END AS state,
          (count(*) FILTER (WHERE t.expires_at < now() + $5 * interval '1 day') OVER ())::int AS pressing
     FROM api_tokens t JOIN users u ON u.id = t.user_id LEFT JOIN projects p ON p.id = t.project_id
    WHERE (t.workspace_id = $1 OR p.workspace_id = $1) AND ($2::uuid IS NULL OR t.user_id = $2)
      AND t.expires_at BETWEEN now() - $4 * interval '1 day' AND now() + $3 * interval '1 day'
    ORDER BY t.expires_at, t.id LIMIT $6`,
)

/**
 * Returns the overview of a workspace: counts, requests of its apps, failures, and expiring tokens. A fixed number of statements.
 * Returns a few items that need attention, and the number of all. See ADR 0030.
 * @param may what the user can see: `apps` failures and figures, `tokens` also those of other users
 * @throws AppError as `authorizeWorkspace` for `workspace:read`
 */
export async function readOverview(
  actor: Actor,
  workspaceId: string,
  may: { apps: boolean; tokens: boolean },
): Promise<{
  counts: { members: number; apps: number; projects: number }
  days: DayOfApps[]
  refused: { rows: RefusedApp[]; total: number }
  /** `pressing`: how many have expired or expire soon. */
  expiring: { rows: ExpiringToken[]; pressing: number }
}> {
  const { id } = await requireWorkspace(actor, 'workspace:read', workspaceId)
  const [members, projects, apps, days, refused, expiring] = await Promise.all([
    prisma().workspaceMember.count({ where: { workspaceId: id } }),
    prisma().project.count({ where: { workspaceId: id } }),
    prisma().oAuthClient.count({ where: { workspaceId: id, source: 'SETTINGS' } }),
    may.apps ? findDays(id, 2 * newsDays) : [],
    may.apps ? findRefused(id, newsDays, few.refused) : [],
    findExpiring(id, may.tokens ? null : actor.userId, expiringDays, newsDays, soonDays, few.expiring),
  ])
  return {
    counts: { members, apps, projects },
    days,
    refused: { rows: refused, total: refused[0]?.all ?? 0 },
    expiring: { rows: expiring, pressing: expiring[0]?.pressing ?? 0 },
  }
}
