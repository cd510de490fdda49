import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { closeRequests } from './close-requests'
import { approvalInput, wordInput } from './input'
import { requireDecider } from './require-decider'

/**
 * Approves an app for a workspace, within bounds; an earlier decision about it is replaced. Counts at its next request.
 * @param input as `approvalInput` describes it
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such app), and as `requireDecider`
 */
export async function approveApp(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: unknown,
): Promise<void> {
  const { scopes, projectIds, expiresAt, word } = parseInput(approvalInput, input)
  const { id } = await requireDecider(actor, workspaceId)
  await prisma().$transaction(async (tx) => {
    const projects = projectIds ?? []
    const known = await tx.project.count({ where: { workspaceId: id, id: { in: projects } } })
    if (known !== projects.length) throw badInput('projectIds', 'Choose projects of this workspace.')
    if (projectIds?.length === 0) throw badInput('projectIds', 'Choose at least one project.')
    const name = await replaceDecision(tx, id, clientId, {
      decision: 'APPROVED',
      scopes,
      allProjects: !projectIds,
      expiresAt,
      decidedById: actor.userId,
      word: word || null,
      projects: { create: projects.map((projectId) => ({ projectId })) },
    })
    const askedBy = await closeRequests(tx, id, clientId, 'APPROVED')
    await recordEvent(tx, actor, {
      action: 'app.approved',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: {
        name,
        scopes,
        ...(projectIds ? { projectIds } : {}),
        ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
        ...(word ? { word } : {}),
        ...(askedBy.length > 0 ? { askedBy } : {}),
      },
    })
  })
}

/**
 * Blocks an app in a workspace: whatever the policy is, it stays outside from its next request on. People's consent stays.
 * @param input `word`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such app), and as `requireDecider`
 */
export async function blockApp(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  input: { word?: string | null } = {},
): Promise<void> {
  const word = parseInput(wordInput, input.word ?? '')
  const { id } = await requireDecider(actor, workspaceId)
  await prisma().$transaction(async (tx) => {
    const made = { decision: 'BLOCKED' as const, scopes: [], decidedById: actor.userId, word: word || null }
    const name = await replaceDecision(tx, id, clientId, made)
    await recordEvent(tx, actor, {
      action: 'app.blocked',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name, ...(word ? { word } : {}) },
    })
  })
}

/**
 * Takes a decision about an app back: a block, or an approval. From then on the policy alone decides.
 * @throws AppError NOT_FOUND (nothing was decided about it), and as `requireDecider`
 */
export async function withdrawDecision(actor: Actor, workspaceId: string, clientId: string): Promise<void> {
  const { id } = await requireDecider(actor, workspaceId)
  await prisma().$transaction(async (tx) => {
    const made = await tx.workspaceApp.findUnique({
      where: { workspaceId_clientId: { workspaceId: id, clientId } },
      select: { decision: true, client: { select: { name: true } } },
    })
    const { count } = await tx.workspaceApp.deleteMany({ where: { workspaceId: id, clientId } })
    if (!made || count === 0) throw new AppError('NOT_FOUND', 'Nothing was decided about this app.')
    await recordEvent(tx, actor, {
      action: made.decision === 'BLOCKED' ? 'app.unblocked' : 'app.approval_withdrawn',
      resource: { type: 'oauth_app', id: clientId },
      workspaceId: id,
      details: { name: made.client.name },
    })
  })
}

type Decision = Omit<
  Parameters<Db['workspaceApp']['create']>[0]['data'],
  'workspaceId' | 'clientId' | 'workspace' | 'client'
>

/** @returns the app's name @throws AppError NOT_FOUND */
async function replaceDecision(
  tx: Db,
  workspaceId: string,
  clientId: string,
  made: Decision,
): Promise<string> {
  const app = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
  if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
  await tx.workspaceApp.deleteMany({ where: { workspaceId, clientId } })
  await tx.workspaceApp.create({ data: { ...made, workspaceId, clientId } as never })
  return app.name
}
