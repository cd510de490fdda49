import { databaseNow } from '@/lib/base/db/clock'
import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { liveSessions } from './find-live-session'

/**
 * Returns one page of the user's live browser sessions, latest sign-in first.
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function pageSessions(actor: Actor, page: Page): Promise<CountedSlice<SessionSummary>> {
  authorizeAccount(actor)
  const where = { AND: [{ userId: actor.userId }, liveSessions()] }
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().session.findMany({
    where: { ...where, id: bounds },
    select: columns,
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().session.count({ where }) }
}

/**
 * Returns the user's live sessions with the given IDs, in any order.
 * @throws the errors of `pageSessions`
 */
export async function readSessions(actor: Actor, ids: readonly string[]): Promise<SessionSummary[]> {
  authorizeAccount(actor)
  const where = { AND: [{ userId: actor.userId, id: { in: ids.filter(isId) } }, liveSessions()] }
  return prisma().session.findMany({ where, select: columns })
}

const columns = {
  id: true,
  ip: true,
  userAgent: true,
  methods: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const satisfies Prisma.SessionSelect

/** A browser session as shown to its user. */
export type SessionSummary = Prisma.SessionGetPayload<{ select: typeof columns }>

/** A browser session as shown in the list at /account/sessions. */
export type SessionInList = SessionSummary & {
  /** Whether the request was sent from this session. */
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
 * Returns one page of the user's live sessions whose user agents or IP addresses contain a text, regardless
 * of case. The current session is first, followed by the most recently used sessions. Returns the first page
 * if the requested page is empty.
 * @param text the text to search for. Empty for all sessions.
 * @throws AppError FORBIDDEN for tokens without access to the account
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

/** The number of days for which sign-ins are shown. */
export const signInDays = 30
const most = 100

const columnsOfListSignIns = {
  id: true,
  ip: true,
  userAgent: true,
  methods: true,
  createdAt: true,
} as const satisfies Prisma.SessionSelect

/** A sign-in as shown to its user. The sign-in's session might have ended. */
export type SignIn = Prisma.SessionGetPayload<{ select: typeof columnsOfListSignIns }>

/**
 * Returns up to 100 sign-ins of the user in the last 30 days, latest first. Includes sign-ins whose sessions
 * have ended.
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function listSignIns(actor: Actor): Promise<SignIn[]> {
  authorizeAccount(actor)
  return prisma().session.findMany({
    where: { userId: actor.userId, createdAt: { gt: new Date(databaseNow() - signInDays * 86_400_000) } },
    select: columnsOfListSignIns,
    orderBy: { createdAt: 'desc' },
    take: most,
  })
}
