import { randomUUID } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { countUpload } from '@/lib/features/pictures/limit-uploads'
import { storePicture } from '@/lib/features/pictures/store-picture'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'

/**
 * Gives the person a new picture, which others and, with the scope `profile`, apps see.
 * @param file as it was sent
 * @returns where it is
 * @throws AppError BAD_USER_INPUT at `picture`, RATE_LIMITED, FORBIDDEN for tokens that do not speak for the person
 */
export async function setAvatar(actor: Actor, file: Uint8Array): Promise<string> {
  authorizeAccount(actor)
  await countUpload(actor)
  const drawn = await drawPicture(file, 'person')
  const id = randomUUID()
  const avatarUrl = picturePath(id)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: { avatarUrl } })
    await storePicture(tx, { userId: actor.userId }, id, drawn)
    await recordEvent(tx, actor, profileUpdated(actor.userId, 'set'))
  })
  return avatarUrl
}

/** Takes the person's picture away; their initials stand in. @throws AppError FORBIDDEN as above */
export async function removeAvatar(actor: Actor): Promise<void> {
  authorizeAccount(actor)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: { avatarUrl: null } })
    await tx.picture.deleteMany({ where: { userId: actor.userId } })
    await recordEvent(tx, actor, profileUpdated(actor.userId, 'removed'))
  })
}

const profileUpdated = (id: string, picture: string) => ({
  action: 'user.profile_updated',
  resource: { type: 'user', id },
  details: { picture },
})
