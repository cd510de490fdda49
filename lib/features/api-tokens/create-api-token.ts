import { z } from 'zod'
import { type CredentialKind, hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { expiryInput } from '@/lib/base/db/expiry-input'
import { requireBelowLimit } from '@/lib/base/db/limits'
import { isId, prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ApiToken, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount, requireUser } from '@/lib/policy/authorize'
import { expiryWithin, holdSession } from '@/lib/policy/lock-role'
import { projectRoleOf, requireProject, requireWorkspace } from '@/lib/policy/require'

const name = nameInput()

const role = z.enum(['ADMIN', 'MEMBER', 'VIEWER']).nullish()

/** The input for an account token, or for a workspace token if `workspaceId` is set. */
const createApiTokenInput = z.object({
  name,
  workspaceId: z.string().nullish(),
  role,
  expiresAt: expiryInput,
})

/**
 * The input for a project token. `environmentId` limits the token to one environment. An empty value, which
 * forms send, means all environments.
 */
const createProjectTokenInput = z.object({
  name,
  projectId: z.string(),
  environmentId: z
    .string()
    .transform((id) => id || null)
    .nullish(),
  role,
  expiresAt: expiryInput,
})

/**
 * The number of unexpired tokens, of all kinds, at which a user can no longer create tokens. GraphQL explorer
 * tokens are included in this number but are created even if the user has reached it.
 */
export const maxTokens = 100

/** A new token's record and its plain value, which is returned only once. */
export type NewApiToken = { token: ApiToken; value: string }

/**
 * Creates an account token, or a workspace token if `workspaceId` is given. Requires a session or an
 * unlimited account token. Without this requirement, an app or a limited token could create a token with more
 * access or a longer lifetime than its own. A workspace token also requires `workspace:read` in the
 * workspace. A token that is created without two-factor authentication cannot access workspaces that require
 * it.
 * @param input `name`, `workspaceId`, `role` (the token's maximum role; default: no maximum for an account
 * token, the user's current role for a workspace token), `expiresAt` (see `expiryWithin`)
 * @throws AppError FORBIDDEN, BAD_USER_INPUT, CONFLICT (too many), and the errors of `requireWorkspace` and
 * `expiryWithin`
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
 * Creates a project token. Requires `project:manage-tokens` in the project, and a session or an unlimited
 * account token.
 * @param input `name`, `projectId`, `environmentId` (default: all environments), `role` (the token's maximum
 * role; default: the user's current role), `expiresAt` (see `expiryWithin`)
 * @throws AppError FORBIDDEN, BAD_USER_INPUT, CONFLICT (too many), and the errors of `requireProject` and
 * `expiryWithin`
 */
export async function createProjectToken(actor: Actor, input: unknown): Promise<NewApiToken> {
  authorizeAccount(actor)
  const { name, projectId, environmentId, role, expiresAt } = parseInput(createProjectTokenInput, input)
  const project = await requireProject(actor, 'project:manage-tokens', projectId)
  if (environmentId != null && !(await hasEnvironment(project.id, environmentId))) {
    throw badInput('environmentId', 'The environment was not found in this project.')
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
  {
    expiresAt: asked,
    ...data
  }: Omit<Prisma.ApiTokenUncheckedCreateInput, 'userId' | 'twoFactor' | 'hash' | 'lastFour' | 'expiresAt'> & {
    expiresAt: Date | null | undefined
  },
  workspaceId: string | null,
): Promise<NewApiToken> {
  requireUser(actor)
  const { userId } = actor
  const value = mintCredential(credential)
  const token = await prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'users' as const, id: userId },
      most: maxTokens,
      message: `You can have up to ${maxTokens} tokens. Revoke one first.`,
    }
    await requireBelowLimit(tx, room, () =>
      tx.apiToken.count({
        where: {
          userId,
          OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(databaseNow()) } }],
        },
      }),
    )
    await holdSession(tx, actor)
    const expiresAt = await expiryWithin(tx, actor, asked)
    const made = await tx.apiToken.create({
      data: {
        ...data,
        expiresAt,
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
