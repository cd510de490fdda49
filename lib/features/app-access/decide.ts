import { databaseNow } from '@/lib/base/db/clock'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent, recordEvents } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspace, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { approvalInput, wordInput } from './input'
import { requireDecider } from './list-installed'

/**
 * The audit action of a decision, and event details in addition to the app's name. The action is undefined if
 * nothing changed.
 */
type Decided = { action: string | undefined; details?: Record<string, unknown> }

/**
 * Checks the actor's permission, then locks the actor's role, runs `decide` for an app, and records the event
 * in one transaction. No event is recorded if `decide` returns no action.
 * @param decide receives the transaction and the workspace ID, and makes the change
 * @param lockFirst locks other rows before the actor's role is locked
 * @returns what `decide` returned
 * @throws AppError NOT_FOUND (no such app), and the errors of `requireDecider`, `lockWorkspaceRole`, and
 * `decide`
 */
export async function decideAbout<Made extends Decided>(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  decide: (tx: Db, workspaceId: string) => Promise<Made>,
  lockFirst?: (tx: Db, workspaceId: string) => Promise<unknown>,
): Promise<Made> {
  const { id } = await requireDecider(actor, workspaceId)
  return prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'The app was not found.')
    await lockFirst?.(tx, id)
    await lockWorkspaceRole(tx, actor, 'workspace:decide-apps', id)
    const made = await decide(tx, id)
    const { action } = made
    if (action === undefined) return made
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name: app.name, ...made.details },
    })
    return made
  })
}

/**
 * Approves an app for a workspace within limits, and replaces any earlier decision. All open requests for the
 * app in the workspace are marked as approved, and the users who sent the requests are notified. The approval
 * takes effect the next time the app accesses the workspace.
 * @param input see `approvalInput`
 * @throws AppError BAD_USER_INPUT, and the errors of `decideAbout`
 */
export async function approveApp(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: unknown,
): Promise<void> {
  const { scopes, projectIds, expiresAt, word } = parseInput(approvalInput, input)
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const projects = projectIds ?? []
    const known = await tx.project.count({ where: { workspaceId: id, id: { in: projects } } })
    if (known !== projects.length) throw badInput('projectIds', 'Choose only projects in this workspace.')
    if (projectIds?.length === 0) throw badInput('projectIds', 'Choose at least one project.')
    await replaceDecision(tx, id, clientId, {
      decision: 'APPROVED',
      scopes,
      allProjects: !projectIds,
      expiresAt,
      decidedById: actor.userId,
      word: word || null,
      projects: { create: projects.map((projectId) => ({ projectId })) },
    })
    const askedBy = await closeRequests(tx, id, clientId, 'APPROVED')
    return {
      action: 'app.approved',
      details: {
        scopes,
        ...(projectIds ? { projectIds } : {}),
        ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
        ...(word ? { word } : {}),
        ...(askedBy.length > 0 ? { askedBy } : {}),
      },
    }
  })
}

/**
 * Blocks an app in a workspace, regardless of the workspace's app policy, and replaces any earlier decision.
 * Takes effect at the app's next request. Users' authorizations and the installation remain.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, and the errors of `decideAbout`
 */
export async function blockApp(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: { word?: string | null } = {},
): Promise<void> {
  const word = parseInput(wordInput, input.word ?? '')
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const made = { decision: 'BLOCKED' as const, scopes: [], decidedById: actor.userId, word: word || null }
    await replaceDecision(tx, id, clientId, made)
    return { action: 'app.blocked', ...(word ? { details: { word } } : {}) }
  })
}

/**
 * Withdraws a workspace's approval or block of an app. From then on, only the policy applies. Under the
 * policy `OPEN`, the app needs no approval, so open requests for it are marked as approved.
 * @throws AppError NOT_FOUND (no decision to withdraw), and the errors of `decideAbout`
 */
export async function withdrawDecision(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  const withdraw = async (tx: Db, id: string) => {
    const [made] = await tx.$queryRaw<{ decision: 'APPROVED' | 'BLOCKED' }[]>`
      DELETE FROM workspace_apps WHERE workspace_id = ${id}::uuid AND client_id = ${clientId} RETURNING decision`
    if (!made)
      throw new AppError(
        'NOT_FOUND',
        'This workspace has neither approved nor blocked this app, so there is no decision to withdraw.',
      )
    const { appPolicy } = await tx.workspace.findUniqueOrThrow({ where: { id }, select: { appPolicy: true } })
    if (appPolicy === 'OPEN') await approveAllRequests(tx, actor, id, clientId)
    return { action: made.decision === 'BLOCKED' ? 'app.unblocked' : 'app.approval_withdrawn' }
  }
  await decideAbout(actor, workspaceId, clientId, withdraw, lockWorkspace)
}

/**
 * Declines all open requests for an app in a workspace. The users who sent the requests are notified and
 * receive the optional comment. To accept the requests, call `approveApp`.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no open request), and the errors of `decideAbout`
 */
export async function declineRequests(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: { word?: string | null } = {},
): Promise<void> {
  const word = parseInput(wordInput, input.word ?? '')
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const askedBy = await closeRequests(tx, id, clientId, 'DECLINED')
    if (askedBy.length === 0)
      throw new AppError(
        'NOT_FOUND',
        'There is no open request for this app. Another admin might have answered it.',
      )
    return { action: 'app.request_declined', details: { askedBy, ...(word ? { word } : {}) } }
  })
}

type Decision = Omit<
  Parameters<Db['workspaceApp']['create']>[0]['data'],
  'workspaceId' | 'clientId' | 'workspace' | 'client'
>

async function replaceDecision(tx: Db, workspaceId: string, clientId: string, made: Decision): Promise<void> {
  await tx.workspaceApp.deleteMany({ where: { workspaceId, clientId } })
  await tx.workspaceApp.create({ data: { ...made, workspaceId, clientId } as never })
}

/**
 * Marks every open request for an app in a workspace as approved or declined.
 * @returns the IDs of the users who sent these requests
 */
async function closeRequests(
  tx: Db,
  workspaceId: string,
  clientId: string,
  state: 'APPROVED' | 'DECLINED',
): Promise<string[]> {
  const closed = await tx.workspaceAppRequest.updateManyAndReturn({
    where: { workspaceId, clientId, state: 'OPEN' },
    data: { state, decidedAt: new Date(databaseNow()) },
    select: { userId: true },
  })
  return closed.map(({ userId }) => userId)
}

/**
 * Marks the open requests for all apps that a workspace has not blocked as approved, records one event for
 * each app, and notifies the users who sent the requests. Records no event for apps that an instance admin
 * has disabled, because users cannot use them. Call this function when the app policy changes to `OPEN`,
 * which allows these apps without an approval, and when an app is unblocked under this policy. Lock the
 * workspace first.
 * @param clientId the only app whose requests are approved; undefined for all apps
 */
export async function approveAllRequests(
  tx: Db,
  actor: Actor,
  workspaceId: string,
  clientId?: string,
): Promise<void> {
  const blocked = await tx.workspaceApp.findMany({
    where: { workspaceId, decision: 'BLOCKED' },
    select: { clientId: true },
  })
  const closed = await tx.workspaceAppRequest.updateManyAndReturn({
    where: {
      workspaceId,
      state: 'OPEN',
      clientId: { equals: clientId, notIn: blocked.map((row) => row.clientId) },
    },
    data: { state: 'APPROVED', decidedAt: new Date(databaseNow()) },
    select: { clientId: true, userId: true },
  })
  if (closed.length === 0) return
  const apps = await tx.oAuthClient.findMany({
    where: { id: { in: closed.map((row) => row.clientId) }, disabledAt: null },
    select: { id: true, name: true },
    orderBy: { id: 'asc' },
  })
  const records = apps.map(({ id, name }) => {
    const askedBy = closed.filter((row) => row.clientId === id).map(({ userId }) => userId)
    const resource = { type: 'oauth_app', id }
    return { action: 'app.request_approved', resource, workspaceId, details: { name, askedBy } }
  })
  await recordEvents(tx, actor, records)
}

/**
 * Removes a workspace and its projects from all users' selections for an app, including the selections for
 * APIs. Takes effect at the app's next request. Users' selections in other workspaces remain. Users can
 * authorize the app again if the policy allows it.
 * @returns how many users' selections changed
 * @throws the errors of `decideAbout`
 */
export async function revokeForAllUsers(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<number> {
  const { details } = await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const projects = await tx.project.findMany({ where: { workspaceId: id }, select: { id: true } })
    const here = projects.map((project) => project.id)
    // Pass the project IDs to both statements as values. If a statement read them with a subquery on another
    // table, database nodes that hold copies of the updated table could compute different results (ADR 0039).
    const changed = await tx.$queryRaw<{ id: string }[]>`
      UPDATE authorizations SET updated_at = now(), workspace_ids = array_remove(workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(project_ids) one WHERE one <> ALL (${here}::uuid[]))
       WHERE client_id = ${clientId} AND (${id}::uuid = ANY (workspace_ids) OR project_ids && ${here}::uuid[]) RETURNING id`
    const atApis = await tx.$queryRaw<{ id: string }[]>`
      UPDATE api_grants g SET updated_at = now(), workspace_ids = array_remove(g.workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(g.project_ids) one WHERE one <> ALL (${here}::uuid[]))
        FROM authorizations z
       WHERE z.id = g.authorization_id AND z.client_id = ${clientId}
         AND (${id}::uuid = ANY (g.workspace_ids) OR g.project_ids && ${here}::uuid[]) RETURNING z.id`
    const users = new Set([...changed, ...atApis].map((row) => row.id)).size
    // The event would send a webhook message to the app, so record none if no user authorized the app for
    // this workspace.
    return { action: users > 0 ? 'app.revoked_for_everyone' : undefined, details: { users } }
  })
  return details.users
}
