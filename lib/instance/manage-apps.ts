import { recordEvent } from '@/lib/audit/record-event'
import { prisma } from '@/lib/db/prisma'
import { AppError } from '@/lib/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { ClientSource } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { matchText } from './match-text'

/** More than anybody looks through; a search narrows it. */
const most = 100

/**
 * The newest OAuth apps of the instance, self-registered ones included.
 * @param filter `search` is part of a name or client id; `source` keeps apps of one origin
 * @returns up to a hundred, and whether there are more
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listAllApps(
  actor: Actor,
  filter: { search: string; source?: ClientSource | undefined },
) {
  authorizeInstance(actor)
  const like = matchText(filter.search)
  const apps = await prisma().oAuthClient.findMany({
    where: {
      source: filter.source,
      ...(like ? { OR: [{ name: like }, { id: like }] } : {}),
    },
    select: {
      id: true,
      name: true,
      source: true,
      type: true,
      logoUrl: true,
      verifiedAt: true,
      disabledAt: true,
      createdAt: true,
      workspace: { select: { name: true } },
      _count: { select: { authorizations: true } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: most + 1,
  })
  return { apps: apps.slice(0, most), more: apps.length > most }
}

async function change(
  actor: Actor,
  id: string,
  action: string,
  data: Prisma.OAuthClientUpdateInput,
): Promise<void> {
  authorizeInstance(actor)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id }, select: { workspaceId: true, name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    await tx.oAuthClient.update({ where: { id }, data })
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name },
    })
  })
}

/**
 * Disables an app, or enables it again: while disabled it signs nobody in, and its tokens fail from the next request on.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export const setAppDisabled = (actor: Actor, id: string, disabled: boolean): Promise<void> =>
  change(actor, id, disabled ? 'oauth_app.disabled' : 'oauth_app.enabled', {
    disabledAt: disabled ? new Date() : null,
  })

/** Marks an app as verified on the consent page, or no longer. @throws AppError FORBIDDEN, NOT_FOUND */
export const setAppVerified = (actor: Actor, id: string, verified: boolean): Promise<void> =>
  change(actor, id, verified ? 'oauth_app.verified' : 'oauth_app.unverified', {
    verifiedAt: verified ? new Date() : null,
  })
