import { recordEvent } from '@/lib/audit/record-event'
import { prisma } from '@/lib/db/prisma'
import { parseInput } from '@/lib/errors/parse-input'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { profileInput } from './input'

/**
 * Changes what others and, with the scope `profile`, apps see of the person.
 * @param input `name`, `avatarUrl`
 * @throws AppError BAD_USER_INPUT, FORBIDDEN for tokens that do not speak for the person
 */
export async function updateProfile(actor: Actor, input: unknown): Promise<void> {
  authorizeAccount(actor)
  const changes = parseInput(profileInput, input)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: changes })
    await recordEvent(tx, actor, {
      action: 'user.profile_updated',
      resource: { type: 'user', id: actor.userId },
      details: { name: changes.name },
    })
  })
}
