import { databaseNow } from '@/lib/base/db/clock'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { approvalInput, wordInput } from './input'
import { requireDecider } from './list-installed'

/** What was decided: the event it is recorded as, none where nothing changed, with what beside the app's name is to be known of it. */
type Decided = { action: string | undefined; details?: Record<string, unknown> }

/**
 * How every decision about one app is made: by somebody who may, in one transaction with its event.
 * @param decide what changes; it gets the workspace's id
 * @returns what `decide` returned
 * @throws AppError NOT_FOUND (no such app), as `decide`, and as `requireDecider`
 */
export async function decideAbout<Made extends Decided>(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  decide: (tx: Db, workspaceId: string) => Promise<Made>,
): Promise<Made> {
  const { id } = await requireDecider(actor, workspaceId)
  return prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
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
 * Approves an app for a workspace, within bounds; an earlier decision about it is replaced. Counts at its next request.
 * @param input as `approvalInput` describes it
 * @throws AppError BAD_USER_INPUT, and as `decideAbout`
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
    if (known !== projects.length) throw badInput('projectIds', 'Choose projects of this workspace.')
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
 * Blocks an app in a workspace: whatever the policy is, it stays outside from its next request on. People's consent stays.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, and as `decideAbout`
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
 * Takes a decision about an app back: a block, or an approval. From then on the policy alone decides.
 * @throws AppError NOT_FOUND (nothing was decided about it), and as `decideAbout`
 */
export async function withdrawDecision(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const [made] = await tx.$queryRaw<{ decision: 'APPROVED' | 'BLOCKED' }[]>`
      DELETE FROM workspace_apps WHERE workspace_id = ${id}::uuid AND client_id = ${clientId} RETURNING decision`
    if (!made) throw new AppError('NOT_FOUND', 'There is no decision about this app.')
    return { action: made.decision === 'BLOCKED' ? 'app.unblocked' : 'app.approval_withdrawn' }
  })
}

/**
 * Declines what was asked for an app; whoever asked is told, with a word. `approveApp` answers requests the other way.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (nobody asks for it), and as `decideAbout`
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
    if (askedBy.length === 0) throw new AppError('NOT_FOUND', 'There is no open request for this app.')
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
 * Answers every open request for an app in a workspace.
 * @returns the ids of those who asked
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
 * Takes a workspace and its projects out of everything that people selected for an app. Its next request feels it; what they
 * share with it elsewhere stays, and they may let it in again as far as the policy allows.
 * @returns how many people's selections changed
 * @throws AppError as `decideAbout`
 */
export async function revokeForEverybody(
  actor: Actor,
  workspaceId: string,
  clientId: string,
): Promise<number> {
  const { details } = await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const projects = await tx.project.findMany({ where: { workspaceId: id }, select: { id: true } })
    const here = projects.map((project) => project.id)
    // Named by value: of a subquery over another table, nodes that each have a copy may make different things (ADR 0049).
    const people = await tx.$executeRaw`
      UPDATE authorizations SET updated_at = now(), workspace_ids = array_remove(workspace_ids, ${id}::uuid),
             project_ids = ARRAY(SELECT one FROM unnest(project_ids) one WHERE one <> ALL (${here}::uuid[]))
       WHERE client_id = ${clientId} AND (${id}::uuid = ANY (workspace_ids) OR project_ids && ${here}::uuid[])`
    // The app is told of it, and of a workspace that nobody let it into it is told nothing.
    return { action: people > 0 ? 'app.revoked_for_everyone' : undefined, details: { people } }
  })
  return details.people
}
