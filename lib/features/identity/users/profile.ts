import { randomUUID } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { isLanguage, type Language } from '@/lib/base/language/languages'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { drawUpload, storePicture } from '@/lib/features/pictures/draw-picture'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import type { User } from '@/lib/policy/bearer'
import { profileInput } from './input'

/**
 * Updates the user's profile. The name and the picture are visible to other users and to apps with the
 * `profile` scope.
 * @param input `name`, `avatarUrl` (the URL of a picture on another host, or empty for no picture), and
 * `language` (for emails). Omitted fields remain unchanged.
 * @returns the updated user
 * @throws AppError BAD_USER_INPUT, and the errors of `authorizeAccount`
 */
export async function updateProfile(actor: Actor, input: unknown): Promise<User> {
  authorizeAccount(actor)
  const changes = parseInput(profileInput, input)
  return prisma().$transaction(async (tx) => {
    const saved = await tx.user.update({
      where: { id: actor.userId },
      data: changes,
      select: { id: true, name: true, email: true, avatarUrl: true },
    })
    // If the user enters a URL or removes the picture, delete the uploaded picture, which is no longer used.
    if (changes.avatarUrl !== undefined) await tx.picture.deleteMany({ where: { userId: actor.userId } })
    await recordEvent(tx, actor, {
      action: 'user.profile_updated',
      resource: { type: 'user', id: actor.userId },
      details: { name: saved.name },
    })
    return saved
  })
}

/**
 * Replaces the user's picture, which is visible to other users and to apps with the `profile` scope. Stores a
 * re-encoded copy of the uploaded image.
 * @param file the uploaded bytes
 * @returns the picture's URL
 * @throws AppError BAD_USER_INPUT on `picture`, RATE_LIMITED, SERVICE_UNAVAILABLE, and the errors of
 * `authorizeAccount`
 */
export async function setAvatar(actor: Actor, file: Uint8Array): Promise<string> {
  authorizeAccount(actor)
  const drawn = await drawUpload(actor, file, 'user')
  const id = randomUUID()
  const avatarUrl = picturePath(id)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: { avatarUrl } })
    await storePicture(tx, { userId: actor.userId }, id, drawn)
    await recordEvent(tx, actor, profileUpdated(actor.userId, 'set'))
  })
  return avatarUrl
}

/**
 * Removes the user's picture. Pages then show the user's initials.
 * @throws the errors of `authorizeAccount`
 */
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

/**
 * Returns the language for emails to the user, or English if no language or an unsupported language is
 * stored.
 * @throws the errors of `authorizeAccount`
 */
export async function readLanguage(actor: Actor): Promise<Language> {
  authorizeAccount(actor)
  const { language } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { language: true },
  })
  return isLanguage(language) ? language : 'en'
}

/**
 * Adds users' names to records in one statement. Checks no permission, because callers who can read a record
 * can also read its user's name.
 * @param rows the records, each with a user's ID or null
 * @returns the records in the same order, each with the user's name; the name is null if there is no user or
 * the user was deleted
 */
export async function nameUsers<Row extends { userId: string | null }>(
  rows: readonly Row[],
): Promise<(Row & { user: string | null })[]> {
  const users = await prisma().user.findMany({
    where: { id: { in: rows.flatMap(({ userId }) => userId ?? []) } },
    select: { id: true, name: true },
  })
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, user: names.get(row.userId ?? '') ?? null }))
}
