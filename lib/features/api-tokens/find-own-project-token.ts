import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { ApiToken } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'

/**
 * The project token that the caller sent, so that a tool can learn what it was given.
 * @throws AppError FORBIDDEN for every other caller
 */
export async function findOwnProjectToken(actor: Actor): Promise<ApiToken> {
  if (actor.kind !== 'project-token') {
    throw new AppError('FORBIDDEN', 'Only a project token can ask this, and only about itself.')
  }
  const token = await prisma().apiToken.findUnique({ where: { id: actor.tokenId } })
  if (!token) throw new AppError('NOT_FOUND')
  return token
}
