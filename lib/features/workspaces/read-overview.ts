import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/**
 * The number of days for which an expired item or a failed request counts as recent. App usage is shown for
 * twice as many days.
 */
const newsDays = 7

/**
 * The number of days before expiry from which a token or secret is listed, and the number from which it needs
 * attention.
 */
const [expiringDays, soonDays] = [30, 7]

/** The maximum number of apps with failed requests and of expiring items to show. */
const few = { refused: 3, expiring: 6 }

/**
 * An ID that no user has. If the caller is an app installation, the query for expiring items receives this ID
 * instead of a user's ID, so it finds no tokens of the caller.
 */
const noUser = '00000000-0000-0000-0000-000000000000'

/** The numbers of tokens and secrets that need attention, by the page that lists them. */
export type PressingItems = { tokens: number; accountTokens: number; secrets: number }

/** The number of authorizations, requests, and errors of a workspace's apps on one day (UTC). */
export type DayOfApps = { day: string; authorizations: number; requests: number; errors: number }

/**
 * An app with recent failed requests: the number of these requests, and the time and the error of the last
 * failed request.
 */
export type RefusedApp = { id: string; name: string; times: number; lastAt: Date; why: string }

/**
 * A token or client secret that expires within `expiringDays` days or expired within the last `newsDays`
 * days, or an invitation that expires within two days.
 */
export type ExpiringItem = {
  id: string
  kind: 'ACCOUNT' | 'WORKSPACE' | 'PROJECT' | 'SECRET' | 'INVITATION'
  /** The name of a token or a secret, or the email address of an invitation. */
  name: string
  /** The last four characters of the token or the secret. Null for an invitation. */
  lastFour: string | null
  expiresAt: Date
  lastUsedAt: Date | null
  /** The name of the user who created the item. Null if unknown. */
  user: string | null
  /**
   * The name of the project to which a token or an invitation is limited, or of a secret's app. Null if a
   * token or an invitation is not limited to a project.
   */
  belongsTo: string | null
  /** The client ID of a secret's app. Null for other items. */
  clientId: string | null
  /** Whether the item has expired, expires soon, or expires later. */
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
  ExpiringItem & { pressingTokens: number; pressingAccountTokens: number; pressingSecrets: number },
  [
    workspaceId: string,
    userId: string,
    ahead: number,
    behind: number,
    soon: number,
    few: number,
    may: { tokens: boolean; apps: boolean; members: boolean },
  ]
>(
  'overview-expiring',
  `WITH span AS (
     SELECT now() - $4 * interval '1 day' AS starts, now() + $3 * interval '1 day' AS ends,
            now() + $5 * interval '1 day' AS soon)
   SELECT id, kind, name, "lastFour", "expiresAt", "lastUsedAt", "user", "belongsTo", "clientId",
          CASE WHEN "expiresAt" <= now() THEN 'ended' WHEN "expiresAt" < span.soon THEN 'soon' ELSE 'later' END AS state,
          (count(*) FILTER (WHERE "expiresAt" < span.soon AND kind IN ('WORKSPACE', 'PROJECT')) OVER ())::int
            AS "pressingTokens",
          (count(*) FILTER (WHERE "expiresAt" < span.soon AND kind = 'ACCOUNT') OVER ())::int AS "pressingAccountTokens",
          (count(*) FILTER (WHERE "expiresAt" < span.soon AND kind = 'SECRET') OVER ())::int AS "pressingSecrets"
     FROM span CROSS JOIN LATERAL (
       SELECT t.id::text, t.kind::text, t.name, t.last_four AS "lastFour", t.expires_at AS "expiresAt",
              t.last_used_at AS "lastUsedAt", u.name AS "user", p.name AS "belongsTo", NULL AS "clientId"
         FROM api_tokens t JOIN users u ON u.id = t.user_id LEFT JOIN projects p ON p.id = t.project_id
        WHERE (t.workspace_id = $1 OR p.workspace_id = $1) AND (($7::jsonb ->> 'tokens')::boolean OR t.user_id = $2)
          AND t.expires_at BETWEEN span.starts AND span.ends
       UNION ALL
       SELECT t.id::text, t.kind::text, t.name, t.last_four, t.expires_at, t.last_used_at, u.name, NULL, NULL
         FROM api_tokens t JOIN users u ON u.id = t.user_id
        WHERE t.user_id = $2 AND t.kind = 'ACCOUNT' AND t.expires_at BETWEEN span.starts AND span.ends
       UNION ALL
       SELECT s.id::text, 'SECRET', COALESCE(s.name, 'Client secret'), s.last_four, s.expires_at, s.last_used_at,
              u.name, c.name, c.id
         FROM oauth_clients c JOIN oauth_client_secrets s ON s.client_id = c.id LEFT JOIN users u ON u.id = s.created_by_id
        WHERE c.workspace_id = $1 AND c.source = 'SETTINGS' AND ($7::jsonb ->> 'apps')::boolean
          AND s.expires_at BETWEEN span.starts AND span.ends
       UNION ALL
       SELECT i.id::text, 'INVITATION', i.email, NULL, i.expires_at, NULL, u.name, p.name, NULL
         FROM invitations i LEFT JOIN users u ON u.id = i.invited_by_id LEFT JOIN projects p ON p.id = i.project_id
        WHERE i.workspace_id = $1 AND ($7::jsonb ->> 'members')::boolean
          AND i.expires_at BETWEEN now() AND now() + interval '2 days') item
    ORDER BY ("expiresAt" < span.soon AND kind <> 'INVITATION') DESC, "expiresAt", id LIMIT $6`,
)

/**
 * Returns the overview of a workspace: counts, app usage, apps with failed requests, and expiring items.
 * Lists only a few apps and items (`few`), and adds the total number of apps with failed requests and of
 * pressing items. Uses a fixed number of statements.
 * @param may what the user can see: `apps` includes app failures, usage, and secrets; `tokens` includes the
 * tokens of other users; `members` includes invitations; the caller's own tokens are always included
 * @throws the errors of `requireWorkspace` for `workspace:read`
 */
export async function readOverview(
  actor: Actor,
  workspaceId: string,
  may: { apps: boolean; tokens: boolean; members: boolean },
): Promise<{
  counts: { members: number; apps: number; projects: number }
  days: DayOfApps[]
  refused: { rows: RefusedApp[]; total: number }
  /**
   * `pressing` contains the total numbers of tokens and secrets that expired recently or expire within
   * `soonDays` days.
   */
  expiring: { rows: ExpiringItem[]; pressing: PressingItems }
}> {
  const { id } = await requireWorkspace(actor, 'workspace:read', workspaceId)
  const [members, projects, apps, days, refused, expiring] = await Promise.all([
    prisma().workspaceMember.count({ where: { workspaceId: id } }),
    prisma().project.count({ where: { workspaceId: id } }),
    prisma().oAuthClient.count({ where: { workspaceId: id, source: 'SETTINGS' } }),
    may.apps ? findDays(id, 2 * newsDays) : [],
    may.apps ? findRefused(id, newsDays, few.refused) : [],
    findExpiring(id, actor.userId ?? noUser, expiringDays, newsDays, soonDays, few.expiring, may),
  ])
  return {
    counts: { members, apps, projects },
    days,
    refused: { rows: refused, total: refused[0]?.all ?? 0 },
    expiring: {
      // The query returns pressing items first, so that the limit does not omit them. The list is sorted by
      // expiry.
      rows: expiring.toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime()),
      pressing: {
        tokens: expiring[0]?.pressingTokens ?? 0,
        accountTokens: expiring[0]?.pressingAccountTokens ?? 0,
        secrets: expiring[0]?.pressingSecrets ?? 0,
      },
    },
  }
}
