import { databaseNow } from '@/lib/base/db/clock'
import { countAttempt } from '@/lib/base/db/limits'
import { pageStatement } from '@/lib/base/db/lists'
import { type CountedSlice, likeLiteral, type TextPage } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import {
  loadAdmissions,
  loadSelectable,
  projectNote,
  selectableFamilies,
  workspaceNote,
} from '@/lib/features/apps/authorizations/selectable'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import type { Admission } from '@/lib/policy/app-policy'
import { lockWorkspace } from '@/lib/policy/lock-role'
import { type Role, resourceOf } from '@/lib/policy/scopes'
import { roleInWorkspace } from '@/lib/policy/visible'
import { wordInput } from './input'
import { requireDecider } from './list-installed'

const limit = {
  name: 'ask-admin',
  points: 20,
  seconds: 86_400,
  message: 'You have sent too many app requests today. Try again tomorrow.',
}

/** A user's request for an app, with the workspace, the scopes, and the reason. */
export type Asked = { clientId: string; workspaceId: string; scopes: readonly string[]; reason: string }

/**
 * Sends the admins of a workspace a user's request to allow an app or to extend the app's access, and
 * notifies the admins. Stores only the workspace and project scopes. Replaces the user's earlier request for
 * the app in that workspace, including one that was already decided.
 * @throws AppError BAD_USER_INPUT (the reason is too long), NOT_FOUND (no such app, or nothing in the
 * workspace that the user can share), CONFLICT (the app already has access, is blocked, or is excluded by
 * policy), RATE_LIMITED
 */
export async function requestApproval(actor: SessionActor, asked: Asked): Promise<void> {
  const { clientId, workspaceId } = asked
  const reason = parseInput(wordInput, asked.reason)
  const app = await prisma().oAuthClient.findUnique({
    where: { id: clientId },
    select: { name: true, workspaceId: true },
  })
  if (!app) throw new AppError('NOT_FOUND', 'The app was not found.')
  const judged = { clientId, workspaceId: app.workspaceId }
  const offered = await loadSelectable(actor, selectableFamilies(asked.scopes), judged)
  const workspaces = offered.workspaces.filter(({ id }) => id === workspaceId)
  const projects = offered.projects.filter(({ workspace }) => workspace.id === workspaceId)
  const first = workspaces[0] ?? projects[0]
  if (!first) throw new AppError('NOT_FOUND', 'The workspace was not found, or you don’t have access to it.')
  const requireAskable = (admission: Admission) => {
    const notes = [
      ...workspaces.map(() => workspaceNote(admission, asked.scopes)),
      ...projects.map(({ id }) => projectNote(admission, id, asked.scopes)),
    ]
    if (notes.some((note) => note?.askable)) return
    throw new AppError(
      'CONFLICT',
      'You can’t request approval for this app. It already has access, is blocked, or is excluded by the workspace’s app policy.',
    )
  }
  requireAskable(first.admission)
  await countAttempt(limit, actor.userId)
  const scopes = asked.scopes.filter((scope) => resourceOf(scope))
  const createdAt = new Date(databaseNow())
  const state = { scopes, reason, state: 'OPEN' as const, createdAt, decidedAt: null }
  await prisma().$transaction(async (tx) => {
    // Check again under the lock that `setPolicy` takes. Otherwise, the request would stay open if the policy
    // changed to OPEN in the meantime.
    await lockWorkspace(tx, workspaceId)
    requireAskable((await loadAdmissions(tx, [judged], [workspaceId]))(judged, workspaceId))
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

const findOwn = statement<{ workspaceId: string }, [userId: string, clientId: string]>(
  'own-app-requests',
  `SELECT workspace_id AS "workspaceId" FROM workspace_app_requests WHERE user_id = $1 AND client_id = $2 AND state = 'OPEN'`,
)

/**
 * Adds to each workspace whether the user has an open request for the app in that workspace. If the user
 * could approve the app in every workspace, does not query the database and returns false for each workspace.
 */
export async function markRequested<T extends { id: string; decides: boolean }>(
  userId: string,
  clientId: string,
  places: T[],
): Promise<(T & { requested: boolean })[]> {
  const rows = places.some(({ decides }) => !decides) ? await findOwn(userId, clientId) : []
  const open = new Set(rows.map(({ workspaceId }) => workspaceId))
  return places.map((place) => ({ ...place, requested: open.has(place.id) }))
}

/** An open request, with the user, the app, the scopes, and the reason. */
export type AppRequest = {
  /** The request's position in the list: its creation time and a hash of the client ID and the user ID. */
  id: string
  clientId: string
  name: string
  userId: string
  user: string
  email: string
  avatarUrl: string | null
  /**
   * The user's role in the workspace. Null if the user is not a member of the workspace, for example if the
   * user has only project roles.
   */
  role: Role | null
  scopes: string[]
  reason: string
  createdAt: Date
}

const open = `FROM workspace_app_requests r
   JOIN oauth_clients c ON c.id = r.client_id JOIN users u ON u.id = r.user_id ${roleInWorkspace('r.workspace_id', 'u.id')}
  WHERE r.workspace_id = $1 AND r.state = 'OPEN' AND ($3::text IS NULL OR r.client_id = $3)
    AND (c.name ILIKE $2 OR c.id ILIKE $2 OR u.name ILIKE $2)`

type Values = [workspaceId: string, pattern: string, clientId: string | null]

const find = pageStatement<AppRequest & { place: string }, Values>(
  'app-requests',
  `SELECT r.client_id AS "clientId", c.name, u.id AS "userId", u.name AS "user", u.email, u.avatar_url AS "avatarUrl",
          wm.role,
          COALESCE(r.scopes, '{}') AS scopes, r.reason, r.created_at AS "createdAt",
          to_char(r.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || md5(r.client_id || ' ' || r.user_id) AS place
     ${open}`,
  3,
)

const countAll = statement<{ all: number }, Values>(
  'count-app-requests',
  `SELECT count(*)::int AS all ${open}`,
)

/**
 * A filter for requests. `search` is part of an app name, user name, or client ID. `clientId` is one app's
 * complete client ID. If both are set, a request must match both.
 */
export type RequestFilter = { search?: string | null | undefined; clientId?: string | null | undefined }

/**
 * Returns one page of a workspace's open requests that match a filter, oldest first, and a function that
 * counts all of them.
 * @throws the errors of `requireDecider`
 */
export async function listRequests(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search, clientId }: RequestFilter = {},
): Promise<CountedSlice<AppRequest>> {
  const { id } = await requireDecider(actor, workspaceId)
  const values: Values = [id, `%${likeLiteral(search ?? '')}%`, clientId ?? null]
  const { rows, ...sides } = await find(page, ...values)
  return {
    rows: rows.map(({ place, ...row }) => ({ ...row, id: place })),
    ...sides,
    count: async () => (await countAll(...values))[0]?.all ?? 0,
  }
}

/**
 * An app for which a workspace has open requests. The admins' inbox has one entry for each app, and an
 * admin's decision closes all the app's requests in the workspace.
 */
export type RequestedApp = {
  /** The app's position in the list: the time of the oldest open request and a hash of the client ID. */
  id: string
  clientId: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  /**
   * The name of the workspace that owns the app. Null if the app belongs to no workspace, as self-registered
   * apps do.
   */
  runBy: string | null
  verified: boolean
  /** The number of users with an open request for the app. */
  users: number
  /**
   * The names of up to two users with an open request for the app. The users with the oldest requests come
   * first.
   */
  names: string[]
  /** All workspace and project scopes in the open requests, without duplicates, in alphabetical order. */
  scopes: string[]
  /** The latest reason in the open requests. Empty if no open request has a reason. */
  reason: string
  /** The time at which the oldest open request was sent. */
  since: Date
}

/**
 * SQL that finds the open requests for apps in a workspace. $1: the workspace's ID, $2: a pattern that must
 * match the app's name, its client ID, or the name of a user with an open request for the app.
 */
const requested = `FROM workspace_app_requests r
   JOIN oauth_clients c ON c.id = r.client_id JOIN users u ON u.id = r.user_id
   LEFT JOIN workspaces o ON o.id = c.workspace_id
  WHERE r.workspace_id = $1 AND r.state = 'OPEN'
    AND (c.name ILIKE $2 OR c.id ILIKE $2 OR EXISTS (
      SELECT FROM workspace_app_requests q JOIN users v ON v.id = q.user_id
       WHERE q.workspace_id = $1 AND q.client_id = r.client_id AND q.state = 'OPEN' AND v.name ILIKE $2))`

const findApps = pageStatement<RequestedApp & { place: string }, [workspaceId: string, pattern: string]>(
  'requested-apps',
  `SELECT c.id AS "clientId", c.name, c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", o.name AS "runBy",
          c.verified_at IS NOT NULL AS verified, count(*)::int AS users,
          (array_agg(u.name ORDER BY r.created_at, u.id))[1:2] AS names,
          COALESCE((array_agg(r.reason ORDER BY r.created_at DESC, u.id) FILTER (WHERE r.reason <> ''))[1], '') AS reason,
          ARRAY(SELECT DISTINCT s FROM workspace_app_requests q, unnest(q.scopes) s
                 WHERE q.workspace_id = $1 AND q.client_id = c.id AND q.state = 'OPEN' ORDER BY s) AS scopes,
          min(r.created_at) AS since,
          to_char(min(r.created_at) AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || md5(c.id) AS place
     ${requested}
    GROUP BY c.id, o.id`,
  2,
)

const countApps = statement<{ all: number }, [workspaceId: string, pattern: string]>(
  'count-requested-apps',
  `SELECT count(DISTINCT r.client_id)::int AS all ${requested}`,
)

/**
 * Returns one page of the apps for which the workspace has open requests, and a function that counts all
 * these apps. The app with the oldest open request comes first.
 * @param search part of an app name, user name, or client ID
 * @throws the errors of `requireDecider`
 */
export async function listRequestedApps(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search }: { search?: string } = {},
): Promise<CountedSlice<RequestedApp>> {
  const { id } = await requireDecider(actor, workspaceId)
  const values: [string, string] = [id, `%${likeLiteral(search ?? '')}%`]
  const { rows, ...sides } = await findApps(page, ...values)
  return {
    rows: rows.map(({ place, ...row }) => ({ ...row, id: place })),
    ...sides,
    count: async () => (await countApps(...values))[0]?.all ?? 0,
  }
}
