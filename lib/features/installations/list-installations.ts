import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { Installation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { admittedWorkspaces } from '@/lib/policy/app-policy'
import { worthUnder } from '@/lib/policy/scopes'

/** An installation with what its workspace is called. */
export type ListedInstallation = Installation & { workspace: { name: string; slug: string } }

/**
 * One page of the installations of the app that asks, the first in front: how a job finds out for whom it can work. As in
 * `findInstallation`, those do not count that are elsewhere while the app is in development, or whose workspace has blocked it
 * or keeps it out by policy, and scopes are cut to what it may ask for now; those that stand still are listed as such.
 * @throws AppError FORBIDDEN for whoever is no app that asks for itself
 */
export async function listOwnInstallations(
  actor: Actor,
  page: Page,
): Promise<CountedSlice<ListedInstallation>> {
  if (actor.kind !== 'installation') {
    throw new AppError('FORBIDDEN', 'An app asks this for itself, with a token by client_credentials.')
  }
  const { clientId } = actor
  const { workspaceId, inDevelopment, allowedScopes } = await prisma().oAuthClient.findUniqueOrThrow({
    where: { id: clientId },
    select: { workspaceId: true, inDevelopment: true, allowedScopes: true },
  })
  const admitting = admittedWorkspaces({ clientId, workspaceId, installed: true })
  const home = inDevelopment ? { id: { in: workspaceId === null ? [] : [workspaceId] } } : {}
  const where = { clientId, workspace: { AND: [admitting, home] } }
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().installation.findMany({
    where: { AND: [where, { id: bounds }] },
    include: { workspace: { select: { name: true, slug: true } } },
    ...window,
  })
  const listed = rows.map((row) => ({ ...row, scopes: worthUnder(row.scopes, allowedScopes) }))
  return { ...cutPage(page, listed), count: () => prisma().installation.count({ where }) }
}
