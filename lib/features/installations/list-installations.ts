import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { Installation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'

/** An installation with what its workspace is called. */
export type ListedInstallation = Installation & { workspace: { name: string; slug: string } }

/**
 * One page of the installations of the app that asks, the first in front: how a job finds out for whom it can work.
 * @throws AppError FORBIDDEN for whoever is no app that asks for itself
 */
export async function listOwnInstallations(
  actor: Actor,
  page: Page,
): Promise<CountedSlice<ListedInstallation>> {
  if (actor.kind !== 'installation') {
    throw new AppError('FORBIDDEN', 'An app asks this for itself, with a token by client_credentials.')
  }
  const { bounds, ...window } = keysetQuery(page)
  const where = { clientId: actor.clientId }
  const rows = await prisma().installation.findMany({
    where: { AND: [where, { id: bounds }] },
    include: { workspace: { select: { name: true, slug: true } } },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().installation.count({ where }) }
}
