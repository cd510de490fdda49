import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { liveSessions } from './lifetime'
import type { SessionSummary } from './list-sessions'

/** A browser session as a page of the console lists it. */
export type SessionInList = SessionSummary & {
  /** Whether it is the one that asks. */
  current: boolean
}

const find = statement<
  SessionInList & { total: number },
  [
    userId: string,
    current: string | null,
    endsAfter: string,
    usedAfter: string,
    text: string,
    limit: number,
    offset: number,
  ]
>(
  'search-sessions',
  `SELECT s.id, s.ip, s.user_agent AS "userAgent", s.methods, s.created_at AS "createdAt",
          s.last_used_at AS "lastUsedAt", s.expires_at AS "expiresAt",
          s.id::text IS NOT DISTINCT FROM $2::text AS current, (count(*) OVER ())::int AS total
     FROM sessions s
    WHERE s.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $3::timestamptz AND s.last_used_at > $4::timestamptz
      AND ($5 = '' OR s.ip ILIKE '%' || $5 || '%' OR s.user_agent ILIKE '%' || $5 || '%')
    ORDER BY current DESC, s.last_used_at DESC, s.id LIMIT $6 OFFSET $7`,
)

/**
 * One page of the person's live browser sessions whose browsers or addresses hold a text: the one that asks, then the latest
 * used.
 * @param text anything; empty for all of them
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function searchSessions(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<SessionInList>> {
  authorizeAccount(actor)
  const current = actor.kind === 'session' ? actor.sessionId : null
  const { expiresAt, lastUsedAt } = liveSessions()
  const [ends, used] = [expiresAt.gt.toISOString(), lastUsedAt.gt.toISOString()]
  return readNumbered(page, (limit, offset) =>
    find(actor.userId, current, ends, used, searchLiteral(text), limit, offset),
  )
}
