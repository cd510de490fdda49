import { type CredentialKind, hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { requireRoom } from '@/lib/base/db/require-room'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ApiToken, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount, requirePerson } from '@/lib/policy/authorize'
import { isId, projectRoleOf, requireProject, requireWorkspace } from '@/lib/policy/require'
import { createApiTokenInput, createProjectTokenInput } from './input'

/** Live tokens of a person, of every kind. */
export const maxTokens = 100

/** A token just made: its record, and the plain value, which is never to be had again. */
export type NewApiToken = { token: ApiToken; value: string }

/**
 * Makes an account token, or a workspace token when `workspaceId` is given. Only the person may: an app or a confined
 * token could otherwise outlive its own revocation. It is as strong as the session or token that makes it: without two
 * factors it stays outside of workspaces that ask for them, now or later.
 * @param input `name`, `workspaceId`, `role` (a cap; unless given, none for an account token and the person's role now for
 *   a workspace token), `expiresAt`
 * @throws AppError FORBIDDEN, BAD_USER_INPUT, CONFLICT (too many), and as `authorizeWorkspace`
 */
export async function createApiToken(actor: Actor, input: unknown): Promise<NewApiToken> {
  authorizeAccount(actor)
  const { name, workspaceId, role, expiresAt } = parseInput(createApiTokenInput, input)
  if (workspaceId == null) {
    return write(actor, 'accountToken', { kind: 'ACCOUNT', name, expiresAt, role: role ?? 'ADMIN' }, null)
  }
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  return write(
    actor,
    'workspaceToken',
    { kind: 'WORKSPACE', name, expiresAt, workspaceId: workspace.id, role: role ?? workspace.role },
    workspace.id,
  )
}

/**
 * Makes a project token. Takes `project:manage-tokens` in the project, and the person themselves.
 * @param input `name`, `projectId`, `environmentId` (the one it shall reach; all of them unless given), `role` (a cap; the
 *   person's role now unless given), `expiresAt`
 * @throws AppError FORBIDDEN, BAD_USER_INPUT, CONFLICT (too many), and as `authorizeProject`
 */
export async function createProjectToken(actor: Actor, input: unknown): Promise<NewApiToken> {
  authorizeAccount(actor)
  const { name, projectId, environmentId, role, expiresAt } = parseInput(createProjectTokenInput, input)
  const project = await requireProject(actor, 'project:manage-tokens', projectId)
  if (environmentId != null && !(await hasEnvironment(project.id, environmentId))) {
    throw badInput('environmentId', 'The project has no such environment.')
  }
  const reach = { projectId: project.id, environmentId: environmentId ?? null }
  return write(
    actor,
    environmentId == null ? 'projectToken' : 'environmentToken',
    { kind: 'PROJECT', name, expiresAt, ...reach, role: role ?? projectRoleOf(project) },
    project.workspaceId,
  )
}

const hasEnvironment = async (projectId: string, id: string): Promise<boolean> =>
  isId(id) && (await prisma().environment.count({ where: { id, projectId } })) > 0

async function write(
  actor: Actor,
  credential: CredentialKind,
  data: Omit<Prisma.ApiTokenUncheckedCreateInput, 'userId' | 'twoFactor' | 'hash' | 'lastFour'>,
  workspaceId: string | null,
): Promise<NewApiToken> {
  requirePerson(actor)
  const { userId } = actor
  const value = mintCredential(credential)
  const token = await prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'users' as const, id: userId },
      most: maxTokens,
      message: `You have ${maxTokens} tokens. Revoke one that you no longer need first.`,
    }
    await requireRoom(tx, room, () =>
      tx.apiToken.count({
        where: {
          userId,
          OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(databaseNow()) } }],
        },
      }),
    )
    const made = await tx.apiToken.create({
      data: {
        ...data,
        userId,
        twoFactor: actor.twoFactor ?? false,
        hash: Uint8Array.from(hashCredential(value)),
        lastFour: lastFour(value),
      },
    })
    await recordEvent(tx, actor, {
      action: 'api_token.created',
      resource: { type: 'api_token', id: made.id },
      workspaceId,
      details: {
        name: made.name,
        kind: made.kind,
        role: made.role,
        ...(made.environmentId ? { environmentId: made.environmentId } : {}),
      },
    })
    return made
  })
  return { token, value }
}
