import type { Db } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { closeRequests } from './close-requests'
import { decideAbout } from './decide-about'
import { approvalInput, wordInput } from './input'

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
    if (!made) throw new AppError('NOT_FOUND', 'Nothing was decided about this app.')
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
    if (askedBy.length === 0) throw new AppError('NOT_FOUND', 'Nobody asks for this app any more.')
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
