import { randomUUID } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { isLanguage, type Language } from '@/lib/base/language/languages'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { countUpload, drawPicture, storePicture } from '@/lib/features/pictures/draw-picture'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import type { Person } from '@/lib/policy/bearer'
import { profileInput } from './input'

/**
 * Changes what others and, with the scope `profile`, apps see of the person.
 * @param input `name`; `avatarUrl`, another host's picture or empty for none; `language`, that of mails to them: what is left out stays
 * @returns them as they are from now on
 * @throws AppError BAD_USER_INPUT, FORBIDDEN for tokens that do not speak for the person
 */
export async function updateProfile(actor: Actor, input: unknown): Promise<Person> {
  authorizeAccount(actor)
  const changes = parseInput(profileInput, input)
  return prisma().$transaction(async (tx) => {
    const saved = await tx.user.update({
      where: { id: actor.userId },
      data: changes,
      select: { id: true, name: true, email: true, avatarUrl: true },
    })
    // What was uploaded gives way to the new address, or to none.
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

/**
 * The language of mails to the person; English while nothing is known.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
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
 * Says who did something. One statement. The caller has read what they did, so may know who did it.
 * @param rows records that name a person by id
 * @returns the records in their order, each with the person's name; null for one who is gone
 */
export async function namePeople<Row extends { userId: string | null }>(
  rows: readonly Row[],
): Promise<(Row & { person: string | null })[]> {
  const people = await prisma().user.findMany({
    where: { id: { in: rows.flatMap(({ userId }) => userId ?? []) } },
    select: { id: true, name: true },
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, person: names.get(row.userId ?? '') ?? null }))
}
