import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
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
