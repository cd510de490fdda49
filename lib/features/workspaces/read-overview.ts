import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/** A week, in which something is still news. */
const newsDays = 7

/** So long before it ends a token is worth a look, and so long it is a matter for today. */
const [expiringDays, soonDays] = [30, 7]

/** As many of each are shown as one takes in at a glance. */
const few = { refused: 3, expiring: 5 }

/** What a workspace's apps did on a day (UTC). */
export type DayOfApps = { day: string; authorizations: number; requests: number; errors: number }

/** An app of the workspace that was refused lately: how often, when last, and what it was told most lately. */
export type RefusedApp = { id: string; name: string; times: number; lastAt: Date; why: string }

/** A token that ends soon, or ended within the last days. */
export type ExpiringToken = {
  id: string
  name: string
  kind: 'ACCOUNT' | 'WORKSPACE' | 'PROJECT'
  lastFour: string
  expiresAt: Date
  lastUsedAt: Date | null
  /** Whose it is. */
  person: string
  project: string | null
  /** How near its end is. */
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
          t.last_used_at AS "lastUsedAt", u.name AS person, p.name AS project,
          CASE WHEN t.expires_at <= now() THEN 'ended'
               WHEN t.expires_at < now() + $5 * interval '1 day' THEN 'soon' ELSE 'later' END AS state,
          (count(*) FILTER (WHERE t.expires_at < now() + $5 * interval '1 day') OVER ())::int AS pressing
     FROM api_tokens t JOIN users u ON u.id = t.user_id LEFT JOIN projects p ON p.id = t.project_id
    WHERE (t.workspace_id = $1 OR p.workspace_id = $1) AND ($2::uuid IS NULL OR t.user_id = $2)
      AND t.expires_at BETWEEN now() - $4 * interval '1 day' AND now() + $3 * interval '1 day'
    ORDER BY t.expires_at, t.id LIMIT $6`,
)

/**
 * What is going on in a workspace: how much there is in it, what its apps did, what was refused, and which tokens end.
 * A few statements, whatever there is. Of what needs somebody a few are read, and all are counted. See ADR 0039.
 * @param may what the person may see: `apps` their refusals and figures, `tokens` those of others too
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
  /** `pressing`: how many have ended or end soon. */
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
