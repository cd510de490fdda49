import { databaseNow } from '@/lib/base/db/clock'
import { countAttempt } from '@/lib/base/db/limits'
import { pageStatement } from '@/lib/base/db/lists'
import { type CountedSlice, likeLiteral, type TextPage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import {
  loadSelectable,
  projectNote,
  selectableFamilies,
  workspaceNote,
} from '@/lib/features/apps/authorizations/selectable'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { resourceOf } from '@/lib/policy/scopes'
import { wordInput } from './input'
import { requireDecider } from './list-installed'

const limit = {
  name: 'ask-admin',
  points: 20,
  seconds: 86_400,
  message: 'You have sent too many requests today. Try again tomorrow.',
}

/** A user's request: the app, the workspace, the scopes, and the reason. */
export type Asked = { clientId: string; workspaceId: string; scopes: readonly string[]; reason: string }

/**
 * Asks the admins of a workspace to allow an app, or to extend its access, and notifies them. Replaces the
 * user's earlier request.
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (the user can share nothing there), CONFLICT (it has access
 * already, or the admins do not accept requests), RATE_LIMITED
 */
export async function askAdmin(actor: SessionActor, asked: Asked): Promise<void> {
  const { clientId, workspaceId } = asked
  const reason = parseInput(wordInput, asked.reason)
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId },
    select: { name: true, workspaceId: true },
  })
  if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
  const judged = { clientId, workspaceId: app.workspaceId }
  const offered = await loadSelectable(actor, selectableFamilies(asked.scopes), judged)
  const notes = [
    ...offered.workspaces
      .filter(({ id }) => id === workspaceId)
      .map((each) => ({ note: workspaceNote(each.admission, asked.scopes) })),
    ...offered.projects
      .filter(({ workspace }) => workspace.id === workspaceId)
      .map((each) => ({ note: projectNote(each.admission, each.id, asked.scopes) })),
  ]
  if (notes.length === 0) throw new AppError('NOT_FOUND', 'There is no such workspace, or you cannot see it.')
  if (!notes.some(({ note }) => note?.askable)) {
    throw new AppError('CONFLICT', 'This app does not need a request here.')
  }
  await countAttempt(limit, actor.userId)
  const scopes = asked.scopes.filter((scope) => resourceOf(scope))
  const createdAt = new Date(databaseNow())
  const state = { scopes, reason, state: 'OPEN' as const, createdAt, decidedAt: null }
  await prisma().$transaction(async (tx) => {
    await tx.workspaceAppRequest.upsert({
      where: { workspaceId_clientId_userId: { workspaceId, clientId, userId: actor.userId } },
      create: { workspaceId, clientId, userId: actor.userId, ...state },
      update: state,
    })
    await recordEvent(tx, actor, {
      action: 'app.requested',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId,
      details: { name: app.name, scopes, ...(reason ? { reason } : {}) },
    })
  })
}

/** An open request: the user, the app, the scopes, and the reason. */
export type AppRequest = {
  /** Its place in the list. */
  id: string
  clientId: string
  name: string
  userId: string
  user: string
  scopes: string[]
  reason: string
  createdAt: Date
}

const open = `FROM workspace_app_requests r
   JOIN oauth_clients c ON c.id = r.client_id JOIN users u ON u.id = r.user_id
  WHERE r.workspace_id = $1 AND r.state = 'OPEN' AND (c.name ILIKE $2 OR c.id ILIKE $2 OR u.name ILIKE $2)`

const find = pageStatement<AppRequest & { place: string }, [workspaceId: string, pattern: string]>(
  'app-requests',
  `SELECT r.client_id AS "clientId", c.name, u.id AS "userId", u.name AS "user", COALESCE(r.scopes, '{}') AS scopes, r.reason, r.created_at AS "createdAt",
          to_char(r.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || md5(r.client_id || ' ' || r.user_id) AS place
     ${open}`,
  2,
)

const countAll = statement<{ all: number }, [workspaceId: string, pattern: string]>(
  'count-app-requests',
  `SELECT count(*)::int AS all ${open}`,
)

/**
 * Returns one page of a workspace's open requests, oldest first.
 * @param search part of the name of an app or a user, or of a client ID
 * @throws AppError as `requireDecider`
 */
export async function listRequests(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search }: { search?: string | null | undefined } = {},
): Promise<CountedSlice<AppRequest>> {
  const { id } = await requireDecider(actor, workspaceId)
  const pattern = `%${likeLiteral(search ?? '')}%`
  const { rows, ...sides } = await find(page, id, pattern)
  return {
    rows: rows.map(({ place, ...row }) => ({ ...row, id: place })),
    ...sides,
    count: async () => (await countAll(id, pattern))[0]?.all ?? 0,
  }
}
