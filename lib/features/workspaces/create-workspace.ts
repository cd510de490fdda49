import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { requireBelowLimit } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { publicNameInput } from '@/lib/base/errors/names'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AppPolicy } from '@/lib/generated/prisma/enums'
import type { Actor, UserActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'

/**
 * Returns the schema for a workspace's name. The name must not be misleading, because the consent page shows
 * it to users of the workspace's apps.
 * @param current the existing name, which can be kept even if it is misleading
 */
const name = (current?: string) => publicNameInput(undefined, current)

const slug = z
  .string()
  .trim()
  .regex(/^[a-z0-9](-?[a-z0-9])*$/, 'Use lowercase letters, digits, and single hyphens between them.')
  .min(2, 'Use at least 2 characters.')
  .max(50, 'Use at most 50 characters.')
  .refine((value) => !reservedSlugs.has(value), 'This slug is taken. Choose another one.')

const createWorkspaceInput = z.object({ name: name() })

/**
 * Returns the schema for changes to a workspace. Undefined fields are unchanged.
 * @param before the current workspace
 */
const updateWorkspaceInput = (before: { name: string }) =>
  z.object({ name: name(before.name).optional(), slug: slug.optional() })

/** Slugs that cannot be used, because /workspaces/<slug> is the path of another page. */
const reservedSlugs = new Set(['new'])

/**
 * Converts a name to a slug of up to 40 lowercase letters, digits, and hyphens. Removes accents, and replaces
 * other characters with hyphens, except at the start and the end. The slug is empty if no letters or digits
 * remain. For example, "Ådå Löv & Co." becomes "ada-lov-co".
 */
export const slugFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')

/**
 * Returns the slug of a new workspace, which is derived from the name. If the derived slug is too short,
 * taken, or reserved, random characters are added to it, or to `workspace` if it is empty. If two
 * transactions choose the same slug, the unique index rejects one of them, so callers must retry the
 * transaction.
 */
export async function chooseSlug(db: Db, name: string): Promise<string> {
  const wanted = slugFrom(name)
  const free = slug.safeParse(wanted).success && (await db.workspace.count({ where: { slug: wanted } })) === 0
  return free ? wanted : `${wanted || 'workspace'}-${randomBytes(4).toString('hex')}`
}

/** Returns the app policy of a new workspace, as configured for the instance. */
export const newWorkspacePolicy = (): AppPolicy =>
  (({ open: 'OPEN', approved: 'APPROVED', own: 'OWN' }) as const)[config().workspaceApps]

/**
 * The maximum number of workspaces that a user can administer. The limit is checked only when the user
 * creates a workspace, so the user can still become an admin of more workspaces, for example through
 * invitations.
 */
export const maxWorkspaces = 100

/**
 * Creates a workspace with the user as its admin.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many workspaces), FORBIDDEN for apps and for tokens without
 * access to the account
 */
export async function createWorkspace(actor: Actor, input: unknown): Promise<WorkspaceRow> {
  authorizeAccount(actor)
  const { name } = parseInput(createWorkspaceInput, input)
  for (let tries = 1; ; tries++) {
    try {
      return await write(actor, name)
    } catch (error) {
      if (!uniqueViolation(error) || tries === 3) throw error
    }
  }
}

const write = (actor: UserActor, name: string) =>
  prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'users' as const, id: actor.userId },
      most: maxWorkspaces,
      message: `You can be an admin of up to ${maxWorkspaces} workspaces. Delete or leave one first.`,
    }
    await requireBelowLimit(tx, room, () =>
      tx.workspaceMember.count({ where: { userId: actor.userId, role: 'ADMIN' } }),
    )
    const members = { create: { userId: actor.userId, role: 'ADMIN' as const } }
    const workspace = await tx.workspace.create({
      data: { name, slug: await chooseSlug(tx, name), appPolicy: newWorkspacePolicy(), members },
    })
    await recordEvent(tx, actor, {
      action: 'workspace.created',
      resource: { type: 'workspace', id: workspace.id },
      workspaceId: workspace.id,
      details: { name },
    })
    return { ...workspace, appDecision: null, role: 'ADMIN' as const }
  })

/**
 * Changes a workspace's name, its slug, or both. Requires `workspace:update`.
 * @param input `name`, `slug`; undefined fields are unchanged
 * @throws AppError BAD_USER_INPUT, CONFLICT on `slug` if it is taken, and the errors of `requireWorkspace`
 */
export async function updateWorkspace(actor: Actor, id: string, input: unknown): Promise<WorkspaceRow> {
  const before = await requireWorkspace(actor, 'workspace:update', id)
  const changes = parseInput(updateWorkspaceInput(before), input)
  return prisma()
    .$transaction(async (tx) => {
      const workspace = await tx.workspace.update({ where: { id }, data: changes })
      await recordEvent(tx, actor, {
        action: 'workspace.updated',
        resource: { type: 'workspace', id },
        workspaceId: id,
        details: { ...changes, ...(workspace.name !== before.name && { from: before.name }) },
      })
      return { ...before, ...workspace }
    })
    .catch((error) => {
      if (!uniqueViolation(error)) throw error
      const message = 'This slug is taken. Choose another one.'
      throw new AppError('CONFLICT', message, { field: 'slug', fields: { slug: message } })
    })
}
